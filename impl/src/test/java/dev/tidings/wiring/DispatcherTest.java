package dev.tidings.wiring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.EntryKind;
import dev.tidings.Payload;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.event.EntriesStored;
import dev.tidings.event.Signal;
import dev.tidings.event.SignerRevoked;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Laws 4 and 13: the committing thread only enqueues; commits are shown one after the other, bounded in bytes. */
@Timeout(60)
class DispatcherTest {
    private static final long PLENTY = 1 << 20;

    private final HandThreads threads = new HandThreads();
    private final List<Object> handled = new ArrayList<>();

    private Dispatcher dispatcher(long maxBytes) {
        return new Dispatcher(threads.workers(), handled::add, maxBytes);
    }

    private static EntriesStored entries(long position, int bytes) {
        StreamKey stream = StreamKey.session("s");
        Payload payload = Payload.of('"' + "x".repeat(bytes - 2) + '"');
        return new EntriesStored(
                stream, List.of(new StoredEntry(stream, position, position, "e", EntryKind.EVENT, payload, null, 0)));
    }

    @Test
    void enqueue_handsNothingOverOnTheCommittingThread() {
        Dispatcher dispatcher = dispatcher(PLENTY);
        dispatcher.enqueue(List.of("a"));
        assertEquals(List.of(), handled);
        threads.runAll();
        assertEquals(List.of("a"), handled);
    }

    /** Whoever commits is not bothered, and what waits is not forgotten. */
    @Test
    void enqueue_executorHasNoThread_goesOnAtTheNextTick() {
        Throwable[] failure = {new OutOfMemoryError()};
        Dispatcher dispatcher = new Dispatcher(
                task -> {
                    if (failure[0] instanceof Error error) {
                        throw error;
                    }
                    if (failure[0] instanceof RuntimeException exception) {
                        throw exception;
                    }
                    threads.workers().execute(task);
                },
                handled::add,
                PLENTY);
        dispatcher.enqueue(List.of("a"));
        failure[0] = new java.util.concurrent.RejectedExecutionException();
        dispatcher.tick();
        failure[0] = null;
        threads.runAll();
        assertEquals(List.of(), handled);
        dispatcher.tick();
        dispatcher.tick();
        assertEquals(1, threads.waiting());
        threads.runAll();
        assertEquals(List.of("a"), handled);
    }

    /** A piece that could not be shown cuts its partial: a prefix, never a hole. */
    @Test
    void handle_errorOnAPiece_partialIsCutAndTheRestGoesOn() {
        Dispatcher dispatcher = new Dispatcher(
                threads.workers(),
                event -> {
                    if (event instanceof Signal.Partial partial && "2".equals(partial.textDelta())) {
                        throw new OutOfMemoryError();
                    }
                    handled.add(event instanceof Signal.Partial partial ? String.valueOf(partial.textDelta()) : event);
                },
                PLENTY);
        for (String delta : List.of("1", "2")) {
            dispatcher.enqueue(List.of(new Signal.Partial("s", "p", delta, false, null, null)));
        }
        dispatcher.enqueue(List.of("other"));
        threads.runAll();
        dispatcher.enqueue(List.of(new Signal.Partial("s", "p", "3", false, null, null)));
        dispatcher.enqueue(List.of(new Signal.Partial("s", "p", null, true, null, null)));
        dispatcher.enqueue(List.of(new Signal.Partial("s", "p", "again", false, null, null)));
        threads.runAll();
        assertEquals(List.of("1", "other", "null", "again"), handled);
    }

    @Test
    void enqueue_nothing_startsNothing() {
        dispatcher(PLENTY).enqueue(List.of());
        assertEquals(0, threads.waiting());
    }

    @Test
    void enqueue_severalCommits_oneWorkerAndInOrder() {
        Dispatcher dispatcher = dispatcher(PLENTY);
        dispatcher.enqueue(List.of("a", "b"));
        dispatcher.enqueue(List.of("c"));
        assertEquals(1, threads.waiting());
        threads.runAll();
        dispatcher.enqueue(List.of("d"));
        threads.runAll();
        assertEquals(List.of("a", "b", "c", "d"), handled);
    }

    @Test
    void enqueue_moreThanOneTaskTakes_theRestFollows() {
        Dispatcher dispatcher = dispatcher(PLENTY);
        List<Integer> many = IntStream.range(0, 2_000).boxed().toList();
        dispatcher.enqueue(many);
        threads.runAll();
        assertEquals(many, handled);
    }

    @Test
    void enqueue_fromTheHandler_comesBehind() {
        List<Object> seen = new ArrayList<>();
        Dispatcher[] self = new Dispatcher[1];
        self[0] = new Dispatcher(
                threads.workers(),
                event -> {
                    seen.add(event);
                    if (event.equals("a")) {
                        self[0].enqueue(List.of("c"));
                    }
                },
                PLENTY);
        self[0].enqueue(List.of("a", "b"));
        threads.runAll();
        assertEquals(List.of("a", "b", "c"), seen);
    }

    @Test
    void handler_throws_theRestIsHandled() {
        Dispatcher dispatcher = new Dispatcher(
                threads.workers(),
                event -> {
                    if (event.equals("bad")) {
                        throw new IllegalStateException("as the test wants");
                    }
                    handled.add(event);
                },
                PLENTY);
        dispatcher.enqueue(List.of("a", "bad", "b"));
        threads.runAll();
        dispatcher.enqueue(List.of("c"));
        threads.runAll();
        assertEquals(List.of("a", "b", "c"), handled);
    }

    /** An error ends the task, not the dispatcher: all sockets would fall silent for good. */
    @Test
    void handler_throwsAnError_theRestIsHandled() {
        Dispatcher dispatcher = new Dispatcher(
                threads.workers(),
                event -> {
                    if (event.equals("bad")) {
                        throw new StackOverflowError("as the test wants");
                    }
                    handled.add(event);
                },
                PLENTY);
        dispatcher.enqueue(List.of("a", "bad", "b"));
        threads.runAll();
        dispatcher.enqueue(List.of("bad"));
        threads.runAll();
        dispatcher.enqueue(List.of("c"));
        threads.runAll();
        assertEquals(List.of("a", "b", "c"), handled);
    }

    // ---- bounds

    @Test
    void enqueue_beyondTheBound_leavesOnlyEntries() {
        Dispatcher dispatcher = dispatcher(10_000);
        EntriesStored first = entries(1, 6_000);
        EntriesStored tooMuch = entries(2, 6_000);
        EntriesStored small = entries(3, 100);
        SignerRevoked other = new SignerRevoked("u", "s");
        dispatcher.enqueue(List.of(first, tooMuch, other, small));
        threads.runAll();
        assertEquals(List.of(first, other, small), handled);
    }

    @Test
    void enqueue_boundIsFullOfOthers_othersAreStillCarried() {
        Dispatcher dispatcher = dispatcher(1_000);
        List<Object> others = new ArrayList<>();
        IntStream.range(0, 100).forEach(i -> others.add(new SignerRevoked("u", "s" + i)));
        dispatcher.enqueue(others);
        dispatcher.enqueue(List.of(entries(1, 10)));
        threads.runAll();
        assertEquals(others, handled);
    }

    @Test
    void enqueue_boundIsFreeAgain_entriesAreCarriedAgain() {
        Dispatcher dispatcher = dispatcher(10_000);
        for (int i = 1; i <= 100; i++) {
            EntriesStored event = entries(i, 6_000);
            dispatcher.enqueue(List.of(event));
            threads.runAll();
            assertEquals(event, handled.get(handled.size() - 1));
        }
        assertEquals(100, handled.size());
    }

    @Test
    void enqueue_beyondTheBound_saysSoOnceForEachSpell() {
        List<String> said = new CopyOnWriteArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord entry) {
                said.add(entry.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger(Dispatcher.class.getName());
        logger.addHandler(handler);
        try {
            Dispatcher dispatcher = dispatcher(10_000);
            for (int spell = 0; spell < 2; spell++) {
                dispatcher.enqueue(List.of(entries(1, 6_000), entries(2, 6_000), entries(3, 6_000)));
                dispatcher.enqueue(List.of(entries(4, 6_000)));
                threads.runAll();
            }
        } finally {
            logger.removeHandler(handler);
        }
        assertEquals(2, said.size(), said::toString);
        assertTrue(said.get(0).contains("tidings.dispatch.max-bytes"), said::toString);
    }

    // ---- executors that refuse

    @Test
    void enqueue_executorRejects_nextEnqueueBringsAllInOrder() {
        Dispatcher dispatcher = dispatcher(PLENTY);
        threads.rejects = true;
        dispatcher.enqueue(List.of("a"));
        dispatcher.enqueue(List.of("b"));
        threads.rejects = false;
        dispatcher.enqueue(List.of("c"));
        threads.runAll();
        assertEquals(List.of("a", "b", "c"), handled);
    }

    @Test
    void drain_executorRejectsTheRest_nextEnqueueBringsAllInOrder() {
        Dispatcher dispatcher = dispatcher(PLENTY);
        List<Object> many = new ArrayList<>(IntStream.range(0, 1_000).boxed().toList());
        dispatcher.enqueue(many);
        threads.rejects = true;
        threads.runAll();
        assertTrue(handled.size() < many.size(), "the bound of one task is the point of this test");
        threads.rejects = false;
        dispatcher.enqueue(List.of("last"));
        many.add("last");
        threads.runAll();
        assertEquals(many, handled);
    }

    @Test
    void enqueue_executorFails_nextEnqueueBringsAllInOrder() {
        boolean[] broken = {true};
        Dispatcher dispatcher = new Dispatcher(
                task -> {
                    if (broken[0]) {
                        throw new IllegalStateException("no thread can be made");
                    }
                    threads.workers().execute(task);
                },
                handled::add,
                PLENTY);
        dispatcher.enqueue(List.of("a"));
        broken[0] = false;
        dispatcher.enqueue(List.of("b"));
        threads.runAll();
        assertEquals(List.of("a", "b"), handled);
    }

    // ---- threads

    private record Numbered(int committer, int commit, int part) {}

    @Test
    void enqueue_manyCommitters_commitsStayWholeAndInOrderAndNeverTwoAtOnce() throws Exception {
        int committers = 4;
        int commits = 2_000;
        ExecutorService workers = Executors.newFixedThreadPool(4);
        ExecutorService committing = Executors.newFixedThreadPool(committers);
        CountDownLatch all = new CountDownLatch(committers * commits * 3);
        AtomicInteger inHandler = new AtomicInteger();
        AtomicInteger overlaps = new AtomicInteger();
        // Confined: the handler, never two at once; that is what is tested.
        List<Numbered> seen = new ArrayList<>();
        try {
            Dispatcher dispatcher = new Dispatcher(
                    workers,
                    event -> {
                        if (inHandler.incrementAndGet() != 1) {
                            overlaps.incrementAndGet();
                        }
                        seen.add((Numbered) event);
                        inHandler.decrementAndGet();
                        all.countDown();
                    },
                    PLENTY);
            for (int c = 0; c < committers; c++) {
                int committer = c;
                committing.execute(() -> {
                    for (int commit = 0; commit < commits; commit++) {
                        dispatcher.enqueue(List.of(
                                new Numbered(committer, commit, 0),
                                new Numbered(committer, commit, 1),
                                new Numbered(committer, commit, 2)));
                    }
                });
            }
            assertTrue(all.await(50, TimeUnit.SECONDS), "some are missing");
        } finally {
            committing.shutdownNow();
            workers.shutdown();
            assertTrue(workers.awaitTermination(20, TimeUnit.SECONDS));
        }
        assertEquals(0, overlaps.get());
        assertFalse(seen.isEmpty());
        Map<Integer, Integer> next = new HashMap<>();
        for (int i = 0; i < seen.size(); i += 3) {
            Numbered first = seen.get(i);
            int commit = next.getOrDefault(first.committer(), 0);
            assertEquals(new Numbered(first.committer(), commit, 0), first);
            assertEquals(new Numbered(first.committer(), commit, 1), seen.get(i + 1));
            assertEquals(new Numbered(first.committer(), commit, 2), seen.get(i + 2));
            next.put(first.committer(), commit + 1);
        }
    }
}
