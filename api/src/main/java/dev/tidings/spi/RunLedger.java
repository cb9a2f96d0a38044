package dev.tidings.spi;

import dev.tidings.RunInfo;
import java.time.Duration;
import java.util.List;

/**
 * Who works on which run: owners, their leases and the attempts of a run, in the caller's transaction.
 *
 * <p>Threads: safe for use by many threads, each in its own transaction. Source: law 10.
 */
public interface RunLedger {

    /**
     * Takes a run for a node: names its owner and raises its attempt. The caller has locked the run's row (through
     * {@link DirectoryWriter#changeRun}) and opens the fence that it is given.
     */
    RunFence take(String runId, String nodeId);

    /**
     * Whether this is the right of the run's last attempt. Locks the run's row, so that the answer holds until the
     * transaction ends.
     */
    boolean holds(RunFence fence);

    /** Whether a node works on a run as the attempt of this right: it has taken the run, and nobody has since. */
    boolean owns(String nodeId, RunFence fence);

    /**
     * Asks the node that works on a run to cancel it; false if it was asked before, or if nobody works on the run. The
     * caller has locked the run's row.
     */
    boolean askCancel(String runId);

    /** The runs of a node that are claimed, running or waiting and that it was asked to cancel, by (createdAt, id). */
    List<String> cancelsAsked(String nodeId);

    /** Says that a node lives, until this long from now by the database's clock. */
    void renewLease(String nodeId, Duration lease);

    /**
     * The runs that are claimed, running or waiting and whose owner is gone: a node whose lease is over, or
     * {@code nodeId} itself, which asks this before it takes its first run.
     */
    List<Orphan> orphans(String nodeId);

    /** The runs that are claimed, running or waiting and whose owner is a node whose lease is over. */
    List<Orphan> abandoned();

    /** The sessions that have a queued run, each once. */
    List<String> queuedSessions();

    /**
     * A run without an owner.
     *
     * @param run the run
     * @param fence the right of the attempt that was cut
     */
    record Orphan(RunInfo run, RunFence fence) {}
}
