package dev.tidings.testkit;

import dev.tidings.Approval;
import dev.tidings.spi.Approvals;
import dev.tidings.testkit.InMemoryStore.Row;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Approvals in memory.
 *
 * <p>Threads: safe; a transaction belongs to one thread.
 */
final class InMemoryApprovals implements Approvals {

    private final InMemoryStore store;

    InMemoryApprovals(InMemoryStore store) {
        this.store = store;
    }

    private static Row<Approval> row(String id) {
        return new Row<>(Approval.class, id);
    }

    @Override
    public void ask(Approval approval) {
        if (store.lockRow(row(approval.id())).isPresent()) {
            throw new IllegalStateException("the id is taken");
        }
        store.put(row(approval.id()), approval);
    }

    @Override
    public Optional<Approval> find(String approvalId) {
        return store.find(row(approvalId));
    }

    @Override
    public boolean decide(String approvalId, Approval.Status decision, long at) {
        if (decision == Approval.Status.PENDING) {
            throw new IllegalArgumentException("pending is no decision");
        }
        Optional<Approval> pending =
                store.lockRow(row(approvalId)).filter(approval -> approval.status() == Approval.Status.PENDING);
        pending.ifPresent(approval -> store.put(row(approvalId), approval.decided(decision, at)));
        return pending.isPresent();
    }

    @Override
    public List<Approval> lockPending(String runId) {
        return store.all(Approval.class).stream()
                .filter(approval -> approval.runId().equals(runId))
                .flatMap(approval -> store.lockRow(row(approval.id())).stream())
                .filter(approval -> approval.status() == Approval.Status.PENDING)
                .sorted(Comparator.comparing(Approval::createdAt).thenComparing(Approval::id))
                .toList();
    }
}
