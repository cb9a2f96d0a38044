package dev.tidings.spi;

import dev.tidings.NewEntry;
import dev.tidings.StreamKey;
import java.util.Collection;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The log, for writing in the caller's transaction.
 *
 * <p>A call stages; numbers are given while the transaction commits, when the heads of its streams are taken in key
 * order, everything staged is numbered and inserted, and one {@code EntriesStored} a stream is fired (law 3). Entries of
 * one transaction get their numbers in the order of the calls. A rollback leaves nothing and no hole.
 *
 * <p>Threads: safe for use by many threads, each in its own transaction. Errors: throws if there is no transaction; a
 * stream that does not exist or a fence that no longer holds makes the transaction roll back, with
 * {@link dev.tidings.UnknownStreamException} or {@link dev.tidings.FencedException} where the container hands it on.
 */
public interface EventWriter {

    /**
     * Stages an entry behind the last one.
     *
     * @param fence the right of the run that writes; null for whoever is not a run
     */
    void append(StreamKey stream, NewEntry entry, @Nullable RunFence fence);

    /** Stages an entry that no run produced. */
    default void append(StreamKey stream, NewEntry entry) {
        append(stream, entry, null);
    }

    /**
     * Takes the heads of those streams that no other transaction holds, until this one ends, and never waits: so that a
     * writer for many sessions can leave out the one that is busy. A stream that does not exist is left out.
     *
     * @param streams at most some hundreds
     * @return those whose heads are held now; all, if the log cannot tell, and then whoever appends may have to wait
     */
    default Set<StreamKey> holdFree(Collection<StreamKey> streams) {
        return Set.copyOf(streams);
    }

    /**
     * From this transaction's commit on, {@code fence} may write to the stream, and no earlier attempt of its run. Each
     * run has a right of its own in a stream, so that the runs of a tree write side by side. A run whose right was closed
     * never gets another one: the transaction fails with {@link dev.tidings.FencedException}.
     *
     * @param stream a session or a run tree
     */
    void openFence(StreamKey stream, RunFence fence);

    /** From this transaction's commit on, {@code fence} may no longer write; what it staged in this one is stored. Also one that was never open. */
    void closeFence(StreamKey stream, RunFence fence);
}
