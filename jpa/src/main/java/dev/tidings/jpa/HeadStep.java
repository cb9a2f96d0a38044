package dev.tidings.jpa;

import dev.tidings.FencedException;
import dev.tidings.NewEntry;
import dev.tidings.StreamKey;
import dev.tidings.spi.RunFence;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one transaction wants of one stream, joined into what its head and the rights of its runs must be and become.
 *
 * <p>Confined: the transaction's thread.
 */
final class HeadStep {

    private final StreamKey stream;
    private final List<NewEntry> entries = new ArrayList<>();
    // Every right that holds at some moment of the transaction; closing one speaks of what comes after the commit.
    private final Set<RunFence> held = new LinkedHashSet<>();
    private final Map<String, RunFence> required = new LinkedHashMap<>();
    private final Map<String, RunFence> opened = new LinkedHashMap<>();
    private final Map<String, RunFence> ended = new LinkedHashMap<>();

    HeadStep(StreamKey stream) {
        this.stream = stream;
    }

    StreamKey stream() {
        return stream;
    }

    List<NewEntry> entries() {
        return entries;
    }

    /** By how much the position of the head rises. */
    int positions() {
        return entries.size();
    }

    /** By how much the number of the head rises: a session counts its entries, a run tree each run's by itself. */
    int sessionNumbers() {
        return stream.kind() == StreamKey.Kind.SESSION
                ? (int) entries.stream().filter(NewEntry::numbered).count()
                : 0;
    }

    /** The runs of whose rights the step speaks. */
    Set<String> runs() {
        Set<String> runs = new LinkedHashSet<>(required.keySet());
        runs.addAll(opened.keySet());
        runs.addAll(ended.keySet());
        return runs;
    }

    /** The rights that must be open before the transaction, by run. */
    Map<String, RunFence> required() {
        return required;
    }

    /** The rights that the transaction gives, by run. */
    Map<String, RunFence> opened() {
        return opened;
    }

    /** The rights that end with the transaction if they are open, by run; also those that it gave itself. */
    Map<String, RunFence> ended() {
        return ended;
    }

    /**
     * Adds an entry.
     *
     * @throws FencedException if no state of the fences could allow it
     */
    void append(NewEntry entry, @Nullable RunFence fence) {
        if (fence != null && !held.contains(fence)) {
            String run = fence.runId();
            if (required.containsKey(run) || opened.containsKey(run) || ended.containsKey(run)) {
                throw new FencedException(run);
            }
            required.put(run, fence);
            held.add(fence);
        }
        entries.add(entry);
    }

    /**
     * Gives a right.
     *
     * @throws FencedException if the run's right has ended in this transaction
     */
    void open(RunFence fence) {
        if (ended.containsKey(fence.runId())) {
            throw new FencedException(fence.runId());
        }
        held.add(fence);
        opened.put(fence.runId(), fence);
    }

    void close(RunFence fence) {
        RunFence own = opened.get(fence.runId());
        if (own == null || own.equals(fence)) {
            ended.put(fence.runId(), fence);
        }
    }
}
