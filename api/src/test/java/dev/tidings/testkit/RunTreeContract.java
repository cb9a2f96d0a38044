package dev.tidings.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tidings.FencedException;
import dev.tidings.RunStatus;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.event.EntriesStored;
import dev.tidings.spi.RunFence;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What every {@link dev.tidings.spi.EventWriter} does with the runs of one tree (laws 1, 3 and 10). */
public abstract class RunTreeContract extends PortsContract {

    private record Tree(StreamKey stream, List<RunFence> runs) {}

    private Tree newTree(int runs) {
        String root = newRun(null, null, RunStatus.RUNNING);
        StreamKey stream = StreamKey.run(root);
        List<RunFence> fences = new ArrayList<>();
        fences.add(new RunFence(root, 1));
        for (int i = 1; i < runs; i++) {
            String child = fresh("run");
            inTransaction(
                    () -> ports().directoryWriter().create(runInfo(child, root, null, null, RunStatus.RUNNING, 1_000)));
            fences.add(new RunFence(child, 1));
        }
        for (RunFence fence : fences) {
            inTransaction(() -> ports().writer().openFence(stream, fence));
        }
        return new Tree(stream, fences);
    }

    private void append(StreamKey tree, String id, RunFence fence) {
        inTransaction(() -> ports().writer().append(tree, journal(id, fence.runId()), fence));
    }

    /** Law 10: each run of a tree has a right of its own; giving one takes none away. */
    @Test
    void openFence_severalRuns_allWrite() {
        Tree tree = newTree(3);
        for (RunFence fence : tree.runs()) {
            append(tree.stream(), "j-" + fence.runId(), fence);
        }
        assertEquals(3, all(tree.stream()).size());
    }

    /** Law 10: the end of one run shuts out that run alone. */
    @Test
    void closeFence_ofOneRun_othersGoOn() {
        Tree tree = newTree(2);
        RunFence root = tree.runs().get(0);
        RunFence child = tree.runs().get(1);
        inTransaction(() -> {
            ports().writer().append(tree.stream(), journal("last", child.runId()), child);
            ports().writer().closeFence(tree.stream(), child);
        });
        assertFenced(child, () -> append(tree.stream(), "late", child));
        append(tree.stream(), "more", root);
        assertEquals(List.of("last", "more"), ids(tree.stream()));
    }

    /** Law 10: the right of a run that has ended is never given again, to no attempt of it. */
    @Test
    void openFence_ofAnEndedRun_isFencedForEver() {
        Tree tree = newTree(1);
        RunFence fence = tree.runs().get(0);
        inTransaction(() -> ports().writer().closeFence(tree.stream(), fence));
        RunFence next = new RunFence(fence.runId(), 2);
        assertFenced(fence, () -> inTransaction(() -> ports().writer().openFence(tree.stream(), fence)));
        assertFenced(next, () -> inTransaction(() -> ports().writer().openFence(tree.stream(), next)));
        assertFenced(
                next,
                () -> inTransaction(() -> {
                    ports().writer().openFence(tree.stream(), next);
                    ports().writer().append(tree.stream(), journal("late", next.runId()), next);
                }));
        assertEquals(List.of(), ids(tree.stream()));
    }

    /** Law 10: a run that ended before it wrote anything is shut out as well. */
    @Test
    void closeFence_neverOpened_isShutForEver() {
        String root = newRun(null, null, RunStatus.RUNNING);
        StreamKey tree = StreamKey.run(root);
        RunFence fence = new RunFence(root, 1);
        inTransaction(() -> ports().writer().closeFence(tree, fence));
        assertFenced(fence, () -> inTransaction(() -> ports().writer().openFence(tree, fence)));
        assertFenced(fence, () -> append(tree, "late", fence));
    }

    @Test
    void openFence_ofAnEarlierAttempt_isFenced() {
        Tree tree = newTree(1);
        RunFence first = tree.runs().get(0);
        RunFence second = new RunFence(first.runId(), 2);
        inTransaction(() -> ports().writer().openFence(tree.stream(), second));
        assertFenced(first, () -> inTransaction(() -> ports().writer().openFence(tree.stream(), first)));
        append(tree.stream(), "a", second);
        assertEquals(List.of("a"), ids(tree.stream()));
    }

    /** A run that begins and ends in one transaction says what it has to say, and nothing later. */
    @Test
    void openAndCloseFence_inOneTransaction_isShutBehindIt() {
        String root = newRun(null, null, RunStatus.RUNNING);
        StreamKey tree = StreamKey.run(root);
        RunFence fence = new RunFence(root, 1);
        inTransaction(() -> {
            ports().writer().openFence(tree, fence);
            ports().writer().append(tree, journal("only", root), fence);
            ports().writer().closeFence(tree, fence);
        });
        assertFenced(fence, () -> append(tree, "late", fence));
        assertFenced(fence, () -> inTransaction(() -> ports().writer().openFence(tree, fence)));
        assertEquals(List.of("only"), ids(tree));
    }

    @Test
    void append_twoRunsInOneTransaction_bothRightsAreChecked() {
        Tree tree = newTree(2);
        RunFence root = tree.runs().get(0);
        RunFence child = tree.runs().get(1);
        inTransaction(() -> {
            ports().writer().append(tree.stream(), journal("r", root.runId()), root);
            ports().writer().append(tree.stream(), journal("c", child.runId()), child);
        });
        inTransaction(() -> ports().writer().closeFence(tree.stream(), child));
        assertFenced(
                child,
                () -> inTransaction(() -> {
                    ports().writer().append(tree.stream(), journal("r2", root.runId()), root);
                    ports().writer().append(tree.stream(), journal("c2", child.runId()), child);
                }));
        assertEquals(List.of("r", "c"), ids(tree.stream()));
    }

    @Test
    void readRun_oneOfATree_itsEntriesBehindANumber() {
        Tree tree = newTree(2);
        RunFence root = tree.runs().get(0);
        RunFence child = tree.runs().get(1);
        for (int i = 1; i <= 4; i++) {
            append(tree.stream(), "r" + i, root);
            append(tree.stream(), "c" + i, child);
        }
        assertEquals(List.of("c1", "c2", "c3", "c4"), ofRun(tree, child, 0, 10, 1 << 20));
        assertEquals(List.of("c3", "c4"), ofRun(tree, child, 2, 10, 1 << 20));
        assertEquals(List.of("r2", "r3"), ofRun(tree, root, 1, 2, 1 << 20));
        assertEquals(List.of("r2"), ofRun(tree, root, 1, 10, 1), "one always comes");
        assertEquals(List.of(), ofRun(tree, root, 4, 10, 1 << 20));
        assertEquals(List.of(), ofRun(tree, new RunFence(fresh("none"), 1), 0, 10, 1 << 20));
    }

    private List<String> ofRun(Tree tree, RunFence run, long afterSeq, int maxEntries, int maxBytes) {
        return ports().log().readRun(tree.stream(), run.runId(), afterSeq, maxEntries, maxBytes).stream()
                .map(StoredEntry::id)
                .toList();
    }

    /** Laws 1 and 3: the runs of a tree write at once: positions are consecutive, and each run's numbers without a gap. */
    @Test
    void append_runsOfATreeAtOnce_positionsConsecutiveAndNumbersOfEachRunGapless() throws Exception {
        int perRun = 25;
        Tree tree = newTree(4);
        ports().takeEvents();
        ExecutorService pool = Executors.newFixedThreadPool(tree.runs().size());
        try {
            CountDownLatch together = new CountDownLatch(tree.runs().size());
            List<Future<?>> writers = new ArrayList<>();
            for (RunFence fence : tree.runs()) {
                writers.add(pool.submit(() -> {
                    together.countDown();
                    together.await();
                    for (int i = 0; i < perRun; i++) {
                        write(tree, fence, i);
                    }
                    return null;
                }));
            }
            for (Future<?> writer : writers) {
                writer.get(60, TimeUnit.SECONDS);
            }
        } finally {
            pool.shutdownNow();
        }
        List<StoredEntry> stored = all(tree.stream());
        assertEquals(4 * perRun, stored.size());
        for (int i = 0; i < stored.size(); i++) {
            assertEquals(i + 1, stored.get(i).position());
        }
        for (RunFence fence : tree.runs()) {
            List<StoredEntry> own = stored.stream()
                    .filter(entry -> fence.runId().equals(entry.runId()))
                    .toList();
            for (int i = 0; i < perRun; i++) {
                assertEquals(i + 1, own.get(i).seq());
                assertEquals(fence.runId() + "-" + i, own.get(i).id());
            }
        }
        long told = storedEvents().stream()
                .map(EntriesStored::entries)
                .mapToLong(List::size)
                .sum();
        assertEquals(stored.size(), told);
    }

    /** Each third one reads first, so that its transaction has looked at the database before it waits for the head. */
    private void write(Tree tree, RunFence fence, int i) {
        inTransaction(() -> {
            if (i % 3 == 0) {
                ports().log().read(tree.stream(), 0, 1000, Integer.MAX_VALUE);
            }
            ports().writer().append(tree.stream(), journal(fence.runId() + "-" + i, fence.runId()), fence);
        });
    }

    private static void assertFenced(RunFence fence, Runnable write) {
        FencedException fenced =
                assertInstanceOf(FencedException.class, assertThrows(RuntimeException.class, write::run));
        assertEquals(fence.runId(), fenced.runId());
    }
}
