package dev.tidings.testkit;

import dev.tidings.RunStatus;
import dev.tidings.spi.RunFence;
import dev.tidings.spi.RunLedger;
import dev.tidings.testkit.InMemoryDirectory.RunRow;
import dev.tidings.testkit.InMemoryStore.Row;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

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
        RunRow taken = new RunRow(run.info(), run.version(), nodeId, run.attempt() + 1);
        store.put(InMemoryDirectory.runRow(runId), taken);
        return new RunFence(runId, taken.attempt());
    }

    @Override
    public void renewLease(String nodeId, Duration lease) {
        store.lockRow(row(nodeId));
        store.put(row(nodeId), new Lease(nodeId, clock.getAsLong() + lease.toMillis()));
    }

    @Override
    public List<Orphan> orphans(String nodeId) {
        List<Orphan> orphans = new ArrayList<>();
        for (RunRow run : store.all(RunRow.class)) {
            boolean begun = !run.info().status().terminal() && run.info().status() != RunStatus.QUEUED;
            String owner = run.owner();
            if (begun && owner != null && (owner.equals(nodeId) || gone(owner))) {
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
