package dev.tidings.jpa;

import dev.tidings.spi.Receipts;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Receipts; the primary key keeps two transactions from storing the same one.
 *
 * <p>Not final and with a second constructor for the container's proxy. Threads: any.
 */
@ApplicationScoped
@Transactional(TxType.MANDATORY)
class JpaReceipts implements Receipts {

    private static final String COLUMNS =
            "account_id, command_id, digest, reference, status, response, created_at, expires_at";

    private final Database database;

    @SuppressWarnings("NullAway") // the proxy's constructor
    protected JpaReceipts() {
        this(null);
    }

    @Inject
    JpaReceipts(Database database) {
        this.database = database;
    }

    @Override
    @Transactional
    public Map<String, Receipt> find(String accountId, Collection<String> commandIds, long now) {
        List<String> possible =
                commandIds.stream().filter(StoredId::possible).distinct().toList();
        Map<String, Receipt> found = new HashMap<>();
        if (StoredId.possible(accountId) && !possible.isEmpty()) {
            String select = "select " + COLUMNS
                    + " from tidings_receipt where account_id = ? and command_id in (?) and expires_at > ?";
            for (Row row : sql().rows(select, accountId, possible, now)) {
                found.put(row.text(1), read(row));
            }
        }
        return found;
    }

    private static Receipt read(Row row) {
        Long status = row.numberOrNull(4);
        return new Receipt(
                row.text(0),
                row.text(1),
                row.utf8(2),
                row.textOrNull(3),
                status == null ? null : new Answer(status.intValue(), row.bytesOrNull(5)),
                row.number(6),
                row.number(7));
    }

    @Override
    public void create(Receipt receipt, long now) {
        sql().update(
                        "delete from tidings_receipt where account_id = ? and command_id = ? and expires_at <= ?",
                        StoredId.require(receipt.accountId()),
                        StoredId.require(receipt.commandId()),
                        now);
        Answer answer = receipt.answer();
        sql().update(
                        "insert into tidings_receipt (" + COLUMNS + ") values (?, ?, ?, ?, ?, ?, ?, ?)",
                        receipt.accountId(),
                        receipt.commandId(),
                        receipt.digest().getBytes(StandardCharsets.UTF_8),
                        StoredId.requireOrNull(receipt.reference()),
                        answer == null ? null : answer.status(),
                        answer == null ? null : answer.body(),
                        receipt.createdAt(),
                        receipt.expiresAt());
    }

    @Override
    public boolean answer(String accountId, String commandId, Answer answer) {
        return StoredId.possible(accountId)
                && StoredId.possible(commandId)
                && sql().update(
                                        "update tidings_receipt set status = ?, response = ?"
                                                + " where account_id = ? and command_id = ? and status is null",
                                        answer.status(),
                                        answer.body(),
                                        accountId,
                                        commandId)
                        > 0;
    }

    /** One by one: a delete with a limit is spelt differently everywhere, and one of many rows holds many locks. */
    @Override
    public int expire(long now, int most) {
        List<Row> expired = sql().rows(
                        "select account_id, command_id from tidings_receipt where expires_at <= ? order by expires_at"
                                + " limit " + most,
                        now);
        int deleted = 0;
        for (Row row : expired) {
            deleted += sql().update(
                            "delete from tidings_receipt where account_id = ? and command_id = ? and expires_at <= ?",
                            row.text(0),
                            row.text(1),
                            now);
        }
        return deleted;
    }

    private Sql sql() {
        return database.sql();
    }
}
