package dev.tidings.jpa;

import dev.tidings.FencedException;
import dev.tidings.NewEntry;
import dev.tidings.StreamKey;
import dev.tidings.spi.RunFence;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one transaction wants of one stream, joined into what its head must be and become.
 *
 * <p>Confined: the transaction's thread.
 */
final class HeadStep {

    private final StreamKey stream;
    private final List<NewEntry> entries = new ArrayList<>();
    // Every right that holds at some moment of the transaction; closing one speaks of what comes after the commit.
    private final Set<RunFence> held = new LinkedHashSet<>();
    private @Nullable RunFence required;
    private boolean replaced;
    private @Nullable RunFence opened;
    private @Nullable RunFence closed;

    HeadStep(StreamKey stream) {
        this.stream = stream;
    }

    StreamKey stream() {
        return stream;
    }

    List<NewEntry> entries() {
        return entries;
    }

    /** The fence that must be open before the transaction; null if none need be. */
    @Nullable
    RunFence required() {
        return required;
    }

    /** Whether the transaction says which fence is open after it, whatever was open before. */
    boolean replaced() {
        return replaced;
    }

    /** The fence that is open after the transaction, if {@link #replaced}; null for none. */
    @Nullable
    RunFence opened() {
        return opened;
    }

    /** The fence that is closed if it is the one that is open, unless {@link #replaced}. */
    @Nullable
    RunFence closed() {
        return closed;
    }

    /**
     * Adds an entry.
     *
     * @throws FencedException if no state of the head could allow it
     */
    void append(NewEntry entry, @Nullable RunFence fence) {
        if (fence != null && !held.contains(fence)) {
            if (replaced || required != null) {
                throw new FencedException(fence.runId());
            }
            required = fence;
            held.add(fence);
        }
        entries.add(entry);
    }

    void open(RunFence fence) {
        held.add(fence);
        replaced = true;
        opened = fence;
    }

    void close(RunFence fence) {
        if (replaced) {
            opened = fence.equals(opened) ? null : opened;
        } else if (fence.equals(required)) {
            replaced = true;
        } else {
            closed = fence;
        }
    }
}
