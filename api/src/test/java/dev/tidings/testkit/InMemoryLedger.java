package dev.tidings.testkit;

import dev.tidings.RunInfo;
import dev.tidings.RunStatus;
import dev.tidings.spi.RunFence;
import dev.tidings.spi.RunLedger;
import dev.tidings.testkit.InMemoryDirectory.RunRow;
import dev.tidings.testkit.InMemoryStore.Row;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Owners, leases and attempts in memory.
 *
 * <p>Threads: safe; a transaction belongs to one thread.
 */
final class InMemoryLedger implements RunLedger {

    private record Lease(String nodeId, long until) {}

    private final InMemoryStore store;
    private final LongSupplier clock;

    InMemoryLedger(InMemoryStore store, LongSupplier clock) {
        this.store = store;
        this.clock = clock;
    }

    @Override
    public RunFence take(String runId, String nodeId) {
        RunRow run = store.lockRow(InMemoryDirectory.runRow(runId))
                .orElseThrow(() -> new IllegalArgumentException("no such run: " + runId));
        RunRow taken = new RunRow(run.info(), run.version(), nodeId, run.attempt() + 1, false);
        store.put(InMemoryDirectory.runRow(runId), taken);
        return new RunFence(runId, taken.attempt());
    }

    @Override
    public boolean holds(RunFence fence) {
        return store.lockRow(InMemoryDirectory.runRow(fence.runId()))
                .filter(run -> run.attempt() == fence.attempt())
                .isPresent();
    }

    @Override
    public boolean owns(String nodeId, RunFence fence) {
        return store.find(InMemoryDirectory.runRow(fence.runId()))
                .filter(run -> run.attempt() == fence.attempt() && nodeId.equals(run.owner()))
                .isPresent();
    }

    @Override
    public boolean askCancel(String runId) {
        Optional<RunRow> found = store.lockRow(InMemoryDirectory.runRow(runId))
                .filter(run -> begun(run) && run.owner() != null && !run.cancelAsked());
        found.ifPresent(run -> store.put(
                InMemoryDirectory.runRow(runId),
                new RunRow(run.info(), run.version(), run.owner(), run.attempt(), true)));
        return found.isPresent();
    }

    @Override
    public List<String> cancelsAsked(String nodeId) {
        return store.all(RunRow.class).stream()
                .filter(run -> run.cancelAsked() && begun(run) && nodeId.equals(run.owner()))
                .map(RunRow::info)
                .sorted(Comparator.comparing(RunInfo::createdAt).thenComparing(RunInfo::id))
                .map(RunInfo::id)
                .toList();
    }

    private static boolean begun(RunRow run) {
        return !run.info().status().terminal() && run.info().status() != RunStatus.QUEUED;
    }

    @Override
    public void renewLease(String nodeId, Duration lease) {
        store.lockRow(row(nodeId));
        store.put(row(nodeId), new Lease(nodeId, clock.getAsLong() + lease.toMillis()));
    }

    @Override
    public List<Orphan> orphans(String nodeId) {
        return orphans(owner -> owner.equals(nodeId) || gone(owner));
    }

    @Override
    public List<Orphan> abandoned() {
        return orphans(this::gone);
    }

    private List<Orphan> orphans(Predicate<String> ofOwner) {
        List<Orphan> orphans = new ArrayList<>();
        for (RunRow run : store.all(RunRow.class)) {
            String owner = run.owner();
            if (begun(run) && owner != null && ofOwner.test(owner)) {
                orphans.add(new Orphan(run.info(), new RunFence(run.info().id(), run.attempt())));
            }
        }
        return orphans;
    }

    @Override
    public List<String> queuedSessions() {
        return store.all(RunRow.class).stream()
                .filter(run -> run.info().status() == RunStatus.QUEUED)
                .flatMap(run -> Optional.ofNullable(run.info().sessionId()).stream())
                .distinct()
                .toList();
    }

    private boolean gone(String owner) {
        Optional<Lease> lease = store.find(row(owner));
        return lease.isEmpty() || lease.get().until() <= clock.getAsLong();
    }

    private static Row<Lease> row(String nodeId) {
        return new Row<>(Lease.class, nodeId);
    }
}
