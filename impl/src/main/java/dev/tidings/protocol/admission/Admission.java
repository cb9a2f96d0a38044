package dev.tidings.protocol.admission;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Who has how many sockets, and how much each of them may ask: cheap answers to floods, before any signature is looked
 * at.
 *
 * <p>Threads: any.
 */
public final class Admission {
    /** The user property in which a container tells the address of the peer, as text; few do. */
    public static final String PEER_ADDRESS = "dev.tidings.peer-address";

    private static final long NANOS = TimeUnit.SECONDS.toNanos(1);

    private final AdmissionLimits limits;
    private final LongSupplier nanoTime;
    private final Counts ofAddress = new Counts();
    private final Counts ofAccount = new Counts();

    /**
     * Nobody has come yet.
     *
     * @param nanoTime never goes back
     */
    public Admission(AdmissionLimits limits, LongSupplier nanoTime) {
        this.limits = limits;
        this.nanoTime = nanoTime;
    }

    /**
     * A socket comes in.
     *
     * @param address where its peer is, if the container tells it
     */
    public Seat enter(@Nullable String address) {
        boolean admitted = address == null || ofAddress.take(address, limits.maxSocketsPerAddress());
        return new Seat(admitted, address);
    }

    /** How many addresses and accounts have sockets, for tests. */
    int known() {
        return ofAddress.size() + ofAccount.size();
    }

    /** How many sockets each has; holds nobody who has none. */
    private static final class Counts {
        private final ReentrantLock lock = new ReentrantLock();

        @GuardedBy("lock")
        private final Map<String, Integer> taken = new HashMap<>();

        boolean take(String who, int most) {
            lock.lock();
            try {
                int before = taken.getOrDefault(who, 0);
                if (before < most) {
                    taken.put(who, before + 1);
                }
                return before < most;
            } finally {
                lock.unlock();
            }
        }

        void give(String who) {
            lock.lock();
            try {
                taken.computeIfPresent(who, (name, before) -> before == 1 ? null : before - 1);
            } finally {
                lock.unlock();
            }
        }

        int size() {
            lock.lock();
            try {
                return taken.size();
            } finally {
                lock.unlock();
            }
        }
    }

    /** What became of a message. */
    public enum Verdict {
        /** It is handled. */
        ADMITTED,
        /** It is refused unread. */
        TOO_FAST,
        /** So many were refused that the socket is closed. */
        ABUSE
    }

    /**
     * One socket's place.
     *
     * <p>What it may say is an allowance of two seconds' messages that fills again at the rate; what is beyond is refused, and
     * refusals are counted. They are forgiven all together, when something comes that is in order from a peer that has kept
     * within its rate for so long that its allowance is full again. So who goes on above the rate is closed after so many
     * refusals, however much of what he says is let through; a burst closes nobody.
     */
    public final class Seat {
        private final boolean admitted;
        private final ReentrantLock lock = new ReentrantLock();

        @GuardedBy("lock")
        private @Nullable String address;

        @GuardedBy("lock")
        private @Nullable String account;

        @GuardedBy("lock")
        private boolean left;

        // The time at which the bucket would be full again: one number says how many tokens there are.
        @GuardedBy("lock")
        private long fullAt;

        @GuardedBy("lock")
        private int refusals;

        // The allowance was full when the last message came.
        @GuardedBy("lock")
        private boolean rested;

        private Seat(boolean admitted, @Nullable String address) {
            this.admitted = admitted;
            this.address = admitted ? address : null;
            this.fullAt = nanoTime.getAsLong();
        }

        /** Whether there was a place. */
        public boolean admitted() {
            return admitted;
        }

        /** A message came; {@code wellFormed} if only a closer look, at a signature say, tells more. */
        public Verdict message(boolean wellFormed) {
            Verdict arrived = arrived();
            return arrived == Verdict.ADMITTED ? read(wellFormed) : arrived;
        }

        /** Frames came that are no messages: pings, pongs, pieces of messages. They count like messages that are in order. */
        public Verdict frames(int count) {
            Verdict verdict = Verdict.ADMITTED;
            for (int i = 0; i < count && verdict != Verdict.ABUSE; i++) {
                verdict = message(true);
            }
            return verdict;
        }

        /** A message came and was not looked at yet: that is for {@link #read}, if this one admits it. */
        public Verdict arrived() {
            long now = nanoTime.getAsLong();
            long cost = NANOS / limits.messagesPerSecond();
            lock.lock();
            try {
                long from = Math.max(fullAt - now, 0);
                rested = from == 0;
                boolean fast = from + cost > 2 * NANOS;
                if (!fast) {
                    fullAt = now + from + cost;
                }
                return fast ? refusedLocked(Verdict.TOO_FAST) : Verdict.ADMITTED;
            } finally {
                lock.unlock();
            }
        }

        /** A message that was admitted was looked at; {@code wellFormed} as above. */
        public Verdict read(boolean wellFormed) {
            lock.lock();
            try {
                if (!wellFormed) {
                    return refusedLocked(Verdict.ADMITTED);
                }
                if (rested) {
                    refusals = 0;
                }
                return Verdict.ADMITTED;
            } finally {
                lock.unlock();
            }
        }

        @GuardedBy("lock")
        private Verdict refusedLocked(Verdict unlessTooMany) {
            refusals++;
            return refusals > limits.maxRefusals() ? Verdict.ABUSE : unlessTooMany;
        }

        /** The socket is an account's now, in place of one before; false if that has too many. */
        public boolean bind(String who) {
            lock.lock();
            try {
                if (who.equals(account)) {
                    return true;
                }
                if (left || !ofAccount.take(who, limits.maxSocketsPerAccount())) {
                    return false;
                }
                if (account != null) {
                    ofAccount.give(account);
                }
                account = who;
                return true;
            } finally {
                lock.unlock();
            }
        }

        /** The socket is gone. May be called twice. */
        public void leave() {
            lock.lock();
            try {
                left = true;
                if (address != null) {
                    ofAddress.give(address);
                    address = null;
                }
                if (account != null) {
                    ofAccount.give(account);
                    account = null;
                }
            } finally {
                lock.unlock();
            }
        }
    }
}
