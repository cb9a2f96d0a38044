package dev.tidings.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.Head;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.spi.EventLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Law 5: database reads grow with streams, not with sockets. */
@Timeout(60)
class SharedHeadsTest {
    private static final StreamKey KEY = StreamKey.session("s");

    private final SlowLog log = new SlowLog();
    private final SharedHeads heads = new SharedHeads(log, Duration.ofHours(1));

    /** A log whose reads take until they are let go. */
    private static final class SlowLog implements EventLog {
        final AtomicInteger reads = new AtomicInteger();
        final Semaphore begun = new Semaphore(0);
        final Semaphore goOn = new Semaphore(0);
        // Volatile: set by the test, read by those who read.
        volatile long position;
        volatile boolean broken;

        @Override
        public Map<StreamKey, Head> heads(Collection<StreamKey> streams) {
            reads.incrementAndGet();
            Map<StreamKey, Head> heads = new HashMap<>();
            streams.forEach(stream -> heads.put(stream, new Head(position, position)));
            begun.release();
            goOn.acquireUninterruptibly();
            if (broken) {
                throw new IllegalStateException("broken");
            }
            return heads;
        }

        @Override
        public Head head(StreamKey stream) {
            throw new AssertionError("asked alone");
        }

        @Override
        public String epoch() {
            return "epoch";
        }

        @Override
        public List<StoredEntry> read(StreamKey stream, long afterPosition, int maxEntries, int maxBytes) {
            return List.of();
        }

        @Override
        public long positionAfterSeq(StreamKey session, long seq) {
            return 0;
        }
    }

    private static Thread start(Runnable work) {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void awaitWaiting(Thread thread) {
        while (thread.getState() != Thread.State.WAITING && thread.getState() != Thread.State.TIMED_WAITING) {
            assertTrue(thread.isAlive(), "it did not wait");
            Thread.onSpinWait();
        }
    }

    @Test
    void head_manyAskWhileOneReads_oneMoreReadForAllAndNothingOlderThanTheQuestion() throws Exception {
        CompletableFuture<Head> first = CompletableFuture.supplyAsync(() -> heads.head(KEY));
        log.begun.acquire();
        // Stored behind the first read, before the others ask.
        log.position = 7;
        List<Head> later = new ArrayList<>();
        CountDownLatch done = new CountDownLatch(50);
        for (int i = 0; i < 50; i++) {
            StreamKey key = i % 2 == 0 ? KEY : StreamKey.session("t");
            awaitWaiting(start(() -> {
                Head head = heads.head(key);
                synchronized (later) {
                    later.add(head);
                }
                done.countDown();
            }));
        }
        assertEquals(1, log.reads.get());
        log.goOn.release(2);
        assertTrue(done.await(30, TimeUnit.SECONDS));
        assertEquals(0, first.get(30, TimeUnit.SECONDS).position());
        assertEquals(2, log.reads.get());
        assertTrue(later.stream().allMatch(head -> head.position() == 7), later.toString());
    }

    @Test
    void head_readFails_allWhoAskedInItAreToldAndTheNextOneReads() throws Exception {
        log.broken = true;
        CompletableFuture<Head> first = CompletableFuture.supplyAsync(() -> heads.head(KEY));
        log.begun.acquire();
        CountDownLatch told = new CountDownLatch(2);
        for (int i = 0; i < 2; i++) {
            awaitWaiting(start(() -> {
                assertThrows(IllegalStateException.class, () -> heads.head(KEY));
                told.countDown();
            }));
        }
        log.goOn.release(2);
        assertTrue(told.await(30, TimeUnit.SECONDS));
        assertThrows(Exception.class, () -> first.get(30, TimeUnit.SECONDS));
        log.broken = false;
        log.position = 3;
        log.goOn.release();
        assertEquals(3, heads.head(KEY).position());
    }

    /** Law 5: a read that hangs holds those who asked in it, and nobody who asks later. */
    @Test
    void head_readHangs_whoeverAsksLaterIsReadForBesideIt() throws Exception {
        SharedHeads impatient = new SharedHeads(log, Duration.ofMillis(1));
        CompletableFuture<Head> hangs = CompletableFuture.supplyAsync(() -> impatient.head(KEY));
        log.begun.acquire();
        log.position = 7;
        CompletableFuture<Head> later = new CompletableFuture<>();
        start(() -> later.complete(impatient.head(KEY)));
        assertTrue(log.begun.tryAcquire(30, TimeUnit.SECONDS), "it waits for the one that hangs");
        log.goOn.release(2);
        assertEquals(7, later.get(30, TimeUnit.SECONDS).position());
        assertEquals(0, hangs.get(30, TimeUnit.SECONDS).position());
    }

    @Test
    void head_onlyOneAsks_readsAtOnce() {
        log.goOn.release(3);
        for (int i = 1; i <= 3; i++) {
            log.position = i;
            assertEquals(i, heads.head(KEY).position());
        }
        assertEquals(3, log.reads.get());
    }
}
