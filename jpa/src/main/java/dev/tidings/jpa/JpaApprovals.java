package dev.tidings.jpa;

import dev.tidings.Approval;
import dev.tidings.spi.Approvals;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.util.List;
import java.util.Optional;

/**
 * Approvals in their table; a decision is one update of a pending row.
 *
 * <p>Not final and with a second constructor for the container's proxy. Threads: any.
 */
@ApplicationScoped
@Transactional
class JpaApprovals implements Approvals {

    private static final String SELECT = "select id, session_id, run_id, tool_call_id, name, status, created_at,"
            + " expires_at, decided_at from tidings_approval where ";

    private final Database database;

    @SuppressWarnings("NullAway") // the proxy's constructor
    protected JpaApprovals() {
        this(null);
    }

    @Inject
    JpaApprovals(Database database) {
        this.database = database;
    }

    @Override
    @Transactional(TxType.MANDATORY)
    public void ask(Approval approval) {
        database.sql()
                .update(
                        "insert into tidings_approval (id, session_id, run_id, tool_call_id, name, status, created_at,"
                                + " expires_at, decided_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                        StoredId.require(approval.id()),
                        StoredId.require(approval.sessionId()),
                        StoredId.require(approval.runId()),
                        Sql.utf8OrNull(approval.toolCallId()),
                        Sql.utf8OrNull(approval.name()),
                        approval.status().code(),
                        approval.createdAt(),
                        approval.expiresAt(),
                        approval.decidedAt());
    }

    @Override
    public Optional<Approval> find(String approvalId) {
        return StoredId.possible(approvalId)
                ? database.sql().row(SELECT + "id = ?", approvalId).map(JpaApprovals::read)
                : Optional.empty();
    }

    @Override
    @Transactional(TxType.MANDATORY)
    public boolean decide(String approvalId, Approval.Status decision, long at) {
        if (decision == Approval.Status.PENDING) {
            throw new IllegalArgumentException("pending is no decision");
        }
        return StoredId.possible(approvalId)
                && database.sql()
                                .update(
                                        "update tidings_approval set status = ?, decided_at = ?"
                                                + " where id = ? and status = 'pending'",
                                        decision.code(),
                                        at,
                                        approvalId)
                        > 0;
    }

    @Override
    @Transactional(TxType.MANDATORY)
    public List<Approval> lockPending(String runId) {
        return StoredId.possible(runId)
                ? database
                        .sql()
                        .rows(SELECT + "run_id = ? and status = 'pending' order by created_at, id for update", runId)
                        .stream()
                        .map(JpaApprovals::read)
                        .toList()
                : List.of();
    }

    private static Approval read(Row row) {
        return new Approval(
                row.text(0),
                row.text(1),
                row.text(2),
                row.utf8(3),
                row.utf8(4),
                Approval.Status.ofCode(row.text(5)),
                row.number(6),
                row.number(7),
                row.numberOrNull(8));
    }
}
