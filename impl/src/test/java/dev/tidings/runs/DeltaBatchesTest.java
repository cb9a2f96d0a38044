package dev.tidings.runs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidings.EntryKind;
import dev.tidings.NewEntry;
import dev.tidings.Payload;
import dev.tidings.StreamKey;
import dev.tidings.spi.EventWriter;
import dev.tidings.spi.RunFence;
import dev.tidings.spi.Transactions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Law 5: the text of many runs in one transaction, which never waits for one of them. Everything happens by hand. */
class DeltaBatchesTest {
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final Deque<Runnable> timers = new ArrayDeque<>();
    private final Set<String> busy = new HashSet<>();
    private final Set<String> gone = new HashSet<>();
    private final List<List<String>> committed = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private final List<String> staged = new ArrayList<>();
    private final DeltaBatches batches =
            new DeltaBatches(new HandTransactions(), new HandWriter(), tasks::add, (wait, task) -> timers.add(task));

    private final class HandTransactions implements Transactions {
        @Override
        public <T> T required(Supplier<T> work) {
            return requiresNew(work);
        }

        @Override
        public <T> T requiresNew(Supplier<T> work) {
            staged.clear();
            T result = work.get();
            if (staged.stream().anyMatch(gone::contains)) {
                throw new IllegalStateException("rolled back");
            }
            committed.add(List.copyOf(staged));
            return result;
        }
    }

    private final class HandWriter implements EventWriter {
        @Override
        public void append(StreamKey stream, NewEntry entry, @Nullable RunFence fence) {
            staged.add(stream.id());
        }

        @Override
        public Set<StreamKey> holdFree(Collection<StreamKey> streams) {
            Set<StreamKey> free = new HashSet<>(streams);
            free.removeIf(stream -> busy.contains(stream.id()));
            return free;
        }

        @Override
        public void openFence(StreamKey stream, RunFence fence) {}

        @Override
        public void closeFence(StreamKey stream, RunFence fence) {}
    }

    private void store(String session) {
        NewEntry entry = new NewEntry("e", EntryKind.TEXT_DELTA, false, Payload.of("{}"), "r", 1);
        batches.store(session, entry, new RunFence("r", 1), new DeltaBatches.Told() {
            @Override
            public void stored() {
                told.add(session + " stored");
            }

            @Override
            public void failed() {
                told.add(session + " failed");
            }
        });
    }

    private void run() {
        while (!tasks.isEmpty()) {
            tasks.poll().run();
        }
    }

    private void ring() {
        List.copyOf(timers).forEach(Runnable::run);
        timers.clear();
        run();
    }

    @Test
    void store_whileABatchIsWritten_isTheNext() {
        store("a");
        assertEquals(1, tasks.size());
        store("b");
        store("c");
        assertEquals(1, tasks.size());
        run();
        assertEquals(List.of(List.of("a", "b", "c")), committed);
        assertEquals(List.of("a stored", "b stored", "c stored"), told);
        store("d");
        run();
        assertEquals(List.of("d"), committed.get(1));
    }

    @Test
    void store_oneBusy_othersGoWithoutItAndItGoesLater() {
        busy.add("a");
        store("a");
        store("b");
        tasks.poll().run();
        assertEquals(List.of("b stored"), told);
        assertEquals(List.of(List.of("b")), committed, "law 5: what is held by another is not waited for");
        busy.clear();
        ring();
        assertEquals(List.of("b stored", "a stored"), told);
        assertEquals(List.of(List.of("b"), List.of("a")), committed);
    }

    /** Three times, then it is written alone, in a task that may wait for it. */
    @Test
    void store_busyThreeTimes_isWrittenAlone() {
        busy.add("a");
        store("a");
        for (int skip = 1; skip <= 2; skip++) {
            run();
            assertEquals(List.of(), told);
            List.copyOf(timers).forEach(Runnable::run);
            timers.clear();
        }
        tasks.poll().run();
        assertEquals(1, tasks.size(), "the task of its own");
        tasks.poll().run();
        assertEquals(List.of("a"), committed.get(committed.size() - 1));
        assertEquals(List.of("a stored"), told);
        assertEquals(0, timers.size());
    }

    /** Whether anything of it was stored is not known: each run's writer has to find out. */
    @Test
    void store_commitFails_allAreGivenBack() {
        gone.add("b");
        store("a");
        store("b");
        store("c");
        run();
        assertEquals(List.of(), committed);
        assertEquals(List.of("a failed", "b failed", "c failed"), told);
    }
}
