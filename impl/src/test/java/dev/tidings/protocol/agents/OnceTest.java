package dev.tidings.protocol.agents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.envelope.Bytes;
import dev.tidings.protocol.agents.InMemoryReceipts.WhenFull;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Law 11: done once, remembered within bounds. */
class InMemoryReceiptsTest {
    private static final Bytes DIGEST = bytes(0);

    private final AtomicLong now = new AtomicLong();
    private final AtomicInteger done = new AtomicInteger();

    private static Bytes bytes(int value) {
        return Bytes.copyOf(new byte[] {(byte) value});
    }

    private InMemoryReceipts receipts(int maxEntries, long maxBytes, WhenFull whenFull) {
        return new InMemoryReceipts(
                new ReceiptLimits(maxEntries, maxBytes, Duration.ZERO),
                Duration.ofMillis(100),
                whenFull,
                answer -> answer.status() < 400,
                () -> Instant.ofEpochMilli(now.get()));
    }

    private HttpAnswer once(InMemoryReceipts receipts, int key) {
        return once(receipts, key, DIGEST, 200);
    }

    private HttpAnswer once(InMemoryReceipts receipts, int key, Bytes digest, int status) {
        return receipts.once(bytes(key), digest, () -> {
                    done.incrementAndGet();
                    return CompletableFuture.completedFuture(HttpAnswer.json(status, "{}"));
                })
                .toCompletableFuture()
                .join();
    }

    private static void refused(ActionCode code, org.junit.jupiter.api.function.Executable work) {
        assertEquals(code.text(), assertThrows(ActionRefusal.class, work).code());
    }

    @Test
    void once_again_firstAnswer() {
        InMemoryReceipts receipts = receipts(10, 1000, WhenFull.REFUSE);
        assertSame(once(receipts, 1), once(receipts, 1));
        assertEquals(1, done.get());
    }

    @Test
    void once_otherDigest_refused() {
        InMemoryReceipts receipts = receipts(10, 1000, WhenFull.REFUSE);
        once(receipts, 1);
        refused(ActionCode.CLIENT_ID_REUSED, () -> once(receipts, 1, bytes(9), 200));
    }

    @Test
    void once_afterItsTime_doneAgain() {
        InMemoryReceipts receipts = receipts(10, 1000, WhenFull.REFUSE);
        once(receipts, 1);
        now.set(99);
        once(receipts, 1);
        assertEquals(1, done.get());
        now.set(100);
        once(receipts, 1);
        assertEquals(2, done.get());
    }

    @Test
    void once_answerNotKept_doneAgain() {
        InMemoryReceipts receipts = receipts(10, 1000, WhenFull.REFUSE);
        once(receipts, 1, DIGEST, 404);
        once(receipts, 1, DIGEST, 200);
        assertEquals(2, done.get());
    }

    @Test
    void once_workFails_failsForAllAndMayBeDoneAgain() {
        InMemoryReceipts receipts = receipts(10, 1000, WhenFull.REFUSE);
        CompletableFuture<HttpAnswer> answer = receipts.once(bytes(1), DIGEST, () -> {
                    throw new IllegalStateException("broken");
                })
                .toCompletableFuture();
        assertThrows(CompletionException.class, answer::join);
        once(receipts, 1);
        assertEquals(1, done.get());
    }

    @Test
    void once_errorOfTheJvm_failsAndMayBeDoneAgain() {
        InMemoryReceipts receipts = receipts(10, 1000, WhenFull.REFUSE);
        CompletableFuture<HttpAnswer> answer = receipts.once(bytes(1), DIGEST, () -> {
                    throw new StackOverflowError();
                })
                .toCompletableFuture();
        assertTrue(answer.isCompletedExceptionally());
        once(receipts, 1);
        assertEquals(1, done.get());
    }

    /** Nothing is done twice because the memory is full. */
    @Test
    void once_tooManyBytes_answerGoneButNotDoneAgain() {
        InMemoryReceipts receipts = receipts(10, 3, WhenFull.REFUSE);
        once(receipts, 1);
        once(receipts, 2);
        refused(ActionCode.ALREADY_HANDLED, () -> once(receipts, 1));
        once(receipts, 2);
        assertEquals(2, done.get());
    }

    @Test
    void once_fullAndRefusing_busyUntilOneExpires() {
        InMemoryReceipts receipts = receipts(2, 1000, WhenFull.REFUSE);
        once(receipts, 1);
        now.set(50);
        once(receipts, 2);
        refused(ActionCode.BUSY, () -> once(receipts, 3));
        assertEquals(2, done.get());
        now.set(100);
        once(receipts, 3);
        assertEquals(2, receipts.size());
    }

    @Test
    void once_fullAndForgetting_oldestForgotten() {
        InMemoryReceipts receipts = receipts(2, 1000, WhenFull.FORGET_OLDEST);
        once(receipts, 1);
        once(receipts, 2);
        once(receipts, 3);
        assertEquals(2, receipts.size());
        once(receipts, 3);
        once(receipts, 2);
        assertEquals(3, done.get());
        once(receipts, 1);
        assertEquals(4, done.get());
    }

    /** The bytes are counted off when a receipt goes, whatever the way. */
    @Test
    void once_manyTimesOver_bytesDoNotLeak() {
        InMemoryReceipts receipts = receipts(2, 4, WhenFull.FORGET_OLDEST);
        for (int i = 0; i < 100; i++) {
            once(receipts, i);
            now.addAndGet(i % 3 == 0 ? 200 : 1);
        }
        HttpAnswer last = once(receipts, 101);
        assertSame(last, once(receipts, 101));
    }
}
