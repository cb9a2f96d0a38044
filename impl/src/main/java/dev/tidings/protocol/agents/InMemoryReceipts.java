package dev.tidings.protocol.agents;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tidings.envelope.Bytes;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Receipts of one node, gone with its process.
 *
 * <p>Bounds: by number, by the bytes of the answers, and by time. A receipt whose answer was dropped for the bytes still
 * keeps the action from being done again.
 */
final class InMemoryReceipts implements Receipts {

    /** What happens when no more can be remembered. */
    enum WhenFull {
        /** A new key is refused: nothing that is remembered is let go before its time. */
        REFUSE,
        /** The oldest key is forgotten. */
        FORGET_OLDEST
    }

    private final int maxEntries;
    private final long maxBytes;
    private final long retentionMillis;
    private final WhenFull whenFull;
    private final Predicate<HttpAnswer> keeps;
    private final InstantSource clock;

    private final ReentrantLock lock = new ReentrantLock();

    // In the order of the claims, which is the order in which they expire.
    @GuardedBy("lock")
    private final Map<Bytes, Receipt> receipts = new LinkedHashMap<>();

    // Those whose answer is there, oldest answer first.
    @GuardedBy("lock")
    private final Set<Receipt> answered = new LinkedHashSet<>();

    @GuardedBy("lock")
    private long answerBytes;

    /**
     * Empty.
     *
     * @param keeps which answers are kept; after any other the key is free again
     */
    InMemoryReceipts(
            ReceiptLimits limits,
            Duration retention,
            WhenFull whenFull,
            Predicate<HttpAnswer> keeps,
            InstantSource clock) {
        this.maxEntries = limits.maxEntries();
        this.maxBytes = limits.maxBytes();
        this.retentionMillis = retention.toMillis();
        this.whenFull = whenFull;
        this.keeps = keeps;
        this.clock = clock;
    }

    /** One claim. Its mutable fields are guarded by the lock of the receipts. */
    private static final class Receipt {
        private final Bytes key;
        private final Bytes digest;
        private final long expiresAt;
        // Guarded by the receipts' lock. Null once the answer was dropped.
        private @Nullable CompletableFuture<HttpAnswer> answer = new CompletableFuture<>();
        // Guarded by the receipts' lock. The bytes that this receipt counts for.
        private int bytes;

        Receipt(Bytes key, Bytes digest, long expiresAt) {
            this.key = key;
            this.digest = digest;
            this.expiresAt = expiresAt;
        }
    }

    @Override
    public CompletionStage<HttpAnswer> once(Bytes key, Bytes digest, Supplier<CompletionStage<HttpAnswer>> work) {
        CompletableFuture<HttpAnswer> mine = new CompletableFuture<>();
        Receipt claim = new Receipt(key, digest, clock.millis() + retentionMillis);
        claim.answer = mine;
        lock.lock();
        try {
            expireLocked();
            Receipt known = receipts.get(key);
            if (known != null) {
                return answerLocked(known, digest);
            }
            makeRoomLocked();
            receipts.put(key, claim);
        } finally {
            lock.unlock();
        }
        CompletionStage<HttpAnswer> answer;
        try {
            answer = work.get();
        } catch (RuntimeException | Error failed) {
            // Also an error: whoever asks again must not wait for an answer that never comes.
            answer = CompletableFuture.failedFuture(failed);
        }
        answer.whenComplete((done, failure) -> settle(claim, mine, done, failure));
        return mine;
    }

    /** How many keys are remembered. */
    int size() {
        lock.lock();
        try {
            expireLocked();
            return receipts.size();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private CompletionStage<HttpAnswer> answerLocked(Receipt known, Bytes digest) {
        if (!known.digest.equals(digest)) {
            throw new ActionRefusal(ActionCode.CLIENT_ID_REUSED, "The client id was used for another action");
        }
        if (known.answer == null) {
            throw new ActionRefusal(ActionCode.ALREADY_HANDLED, "The action was already handled");
        }
        return known.answer;
    }

    private void settle(
            Receipt claim,
            CompletableFuture<HttpAnswer> mine,
            @Nullable HttpAnswer answer,
            @Nullable Throwable failure) {
        lock.lock();
        try {
            if (answer == null || !keeps.test(answer)) {
                if (receipts.get(claim.key) == claim) {
                    removeLocked(claim);
                    receipts.remove(claim.key);
                }
            } else if (receipts.get(claim.key) == claim) {
                claim.bytes = answer.body().length;
                answerBytes += claim.bytes;
                answered.add(claim);
                dropAnswersLocked();
            }
        } finally {
            lock.unlock();
        }
        if (answer != null) {
            mine.complete(answer);
        } else {
            mine.completeExceptionally(failure == null ? new IllegalStateException("no answer") : failure);
        }
    }

    @GuardedBy("lock")
    private void dropAnswersLocked() {
        Iterator<Receipt> oldest = answered.iterator();
        while (answerBytes > maxBytes && oldest.hasNext()) {
            Receipt dropped = oldest.next();
            oldest.remove();
            answerBytes -= dropped.bytes;
            dropped.bytes = 0;
            dropped.answer = null;
        }
    }

    @GuardedBy("lock")
    private void expireLocked() {
        long now = clock.millis();
        Iterator<Receipt> oldest = receipts.values().iterator();
        while (oldest.hasNext()) {
            Receipt receipt = oldest.next();
            if (receipt.expiresAt > now) {
                return;
            }
            oldest.remove();
            removeLocked(receipt);
        }
    }

    @GuardedBy("lock")
    private void makeRoomLocked() {
        if (receipts.size() < maxEntries) {
            return;
        }
        if (whenFull == WhenFull.REFUSE) {
            throw ActionRefusal.busy();
        }
        Iterator<Receipt> oldest = receipts.values().iterator();
        Receipt forgotten = oldest.next();
        oldest.remove();
        removeLocked(forgotten);
    }

    @GuardedBy("lock")
    private void removeLocked(Receipt receipt) {
        if (answered.remove(receipt)) {
            answerBytes -= receipt.bytes;
        }
    }
}
