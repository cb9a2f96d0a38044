package dev.tidings.testkit;

import dev.tidings.spi.Receipts;
import dev.tidings.testkit.InMemoryStore.Row;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Receipts in memory.
 *
 * <p>Threads: safe; a transaction belongs to one thread.
 */
final class InMemoryReceipts implements Receipts {

    private record Key(String accountId, String commandId) {}

    private final InMemoryStore store;

    InMemoryReceipts(InMemoryStore store) {
        this.store = store;
    }

    @Override
    public Map<String, Receipt> find(String accountId, Collection<String> commandIds, long now) {
        Map<String, Receipt> found = new HashMap<>();
        for (String id : commandIds) {
            store.find(row(accountId, id))
                    .filter(receipt -> receipt.expiresAt() > now)
                    .ifPresent(receipt -> found.put(id, receipt));
        }
        return found;
    }

    @Override
    public void create(Receipt receipt, long now) {
        Row<Receipt> row = row(receipt.accountId(), receipt.commandId());
        if (store.lockRow(row).filter(known -> known.expiresAt() > now).isPresent()) {
            throw new IllegalStateException("there is a receipt already");
        }
        store.put(row, receipt);
    }

    @Override
    public boolean answer(String accountId, String commandId, Answer answer) {
        Row<Receipt> row = row(accountId, commandId);
        Optional<Receipt> pending = store.lockRow(row).filter(receipt -> receipt.answer() == null);
        pending.ifPresent(receipt -> store.put(
                row,
                new Receipt(
                        accountId,
                        commandId,
                        receipt.digest(),
                        receipt.reference(),
                        answer,
                        receipt.createdAt(),
                        receipt.expiresAt())));
        return pending.isPresent();
    }

    @Override
    public int expire(long now, int most) {
        List<Receipt> expired = store.all(Receipt.class).stream()
                .filter(receipt -> receipt.expiresAt() <= now)
                .limit(most)
                .toList();
        for (Receipt receipt : expired) {
            Row<Receipt> row = row(receipt.accountId(), receipt.commandId());
            store.lockRow(row);
            store.remove(row);
        }
        return expired.size();
    }

    private static Row<Receipt> row(String accountId, String commandId) {
        return new Row<>(Receipt.class, new Key(accountId, commandId));
    }
}
