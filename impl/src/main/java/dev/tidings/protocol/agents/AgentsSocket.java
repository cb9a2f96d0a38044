package dev.tidings.protocol.agents;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tidings.delivery.Disconnect;
import dev.tidings.delivery.Outbox;
import dev.tidings.envelope.Checked;
import dev.tidings.envelope.EnvelopeDecoder;
import dev.tidings.envelope.EnvelopeVerifier;
import dev.tidings.envelope.Refusal;
import dev.tidings.envelope.SignatureProof;
import dev.tidings.envelope.SignedEnvelope;
import dev.tidings.envelope.VerifiedEnvelope;
import dev.tidings.protocol.admission.Admission;
import dev.tidings.protocol.admission.AdmissionLimits;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One socket's inbound side: its messages, one after the other, each answered before the next is looked at.
 *
 * <p>The thread that brings a message only puts it into a queue, which is bounded in messages and bytes. Signatures are
 * verified so many at once in the node; what asks the database runs on the executor.
 *
 * <p>Threads: any. Source: protocols A1, A2.
 */
final class AgentsSocket {
    private static final System.Logger LOG = System.getLogger(AgentsSocket.class.getName());

    private static final String SUBSCRIBE = "Subscribe";
    private static final String UNSUBSCRIBE = "Unsubscribe";

    /**
     * What all sockets share.
     *
     * @param decoder takes messages apart as they come
     * @param executor runs what may block
     * @param verifications runs verifications, so many at once
     * @param clock judges the age of messages
     * @param nanoTime a clock that never goes back
     * @param texts the text so far of what runs
     * @param holders who holds something of an agent
     */
    record Shared(
            AgentsPorts ports,
            EnvelopeDecoder decoder,
            EnvelopeVerifier verifier,
            AgentsLimits limits,
            Executor executor,
            Executor verifications,
            InstantSource clock,
            LongSupplier nanoTime,
            RunningTexts texts,
            Holders holders) {}

    private final Shared shared;
    private final Outbox outbox;
    private final Subscriptions subscriptions;
    private final long openedNanos;
    private final Admission.Seat seat;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Deque<Received> pending = new ArrayDeque<>(1);

    @GuardedBy("lock")
    private long pendingBytes;

    /** Whether a message is being worked on; whoever works on it takes the next one too. */
    @GuardedBy("lock")
    private boolean busy;

    @GuardedBy("lock")
    private boolean closed;

    /**
     * A message behind the cheap checks, or messages that came too fast.
     *
     * @param envelope what it holds, or why it holds nothing; null for messages that were not read
     * @param size its size as it came
     * @param unread how many messages in a row were not read
     */
    private record Received(@Nullable Checked<SignedEnvelope> envelope, int size, int unread) {
        static final Received UNREAD = new Received(null, 0, 1);

        boolean wellFormed() {
            return envelope instanceof Checked.Accepted;
        }
    }

    private AgentsSocket(Shared shared, Dialect dialect, Outbox outbox, Admission.Seat seat) {
        this.shared = shared;
        this.seat = seat;
        this.outbox = outbox;
        this.subscriptions = new Subscriptions(
                new Sources(shared.ports(), dialect.v2() ? shared.texts() : null),
                shared.holders(),
                shared.limits().maxSubscriptions(),
                dialect.v2(),
                outbox);
        this.openedNanos = shared.nanoTime().getAsLong();
    }

    /** A socket that has just opened; says hello first of all. */
    static AgentsSocket open(Shared shared, Dialect dialect, Outbox outbox) {
        return open(shared, dialect, outbox, new Admission(AdmissionLimits.DEFAULTS, shared.nanoTime()).enter(null));
    }

    /** The same, for a socket that was let in, or not: then it is closed. */
    static AgentsSocket open(Shared shared, Dialect dialect, Outbox outbox, Admission.Seat seat) {
        if (dialect.v2()) {
            outbox.stopsWith(Disconnect.DRAINING);
        }
        AgentsSocket socket = new AgentsSocket(shared, dialect, outbox, seat);
        outbox.answer(AgentsFrames.connected(shared.clock().millis()));
        debug("[agents/ws] open");
        if (!seat.admitted()) {
            socket.disconnect(Disconnect.TOO_MANY_SOCKETS);
        }
        return socket;
    }

    /** Takes a message. Never blocks. */
    void received(AgentsMessage message) {
        outbox.heard();
        if (message.size() > shared.limits().maxMessageBytes()) {
            disconnect(Disconnect.TOO_BIG);
            return;
        }
        Admission.Verdict verdict = seat.arrived();
        Received received = Received.UNREAD;
        if (verdict == Admission.Verdict.ADMITTED) {
            received = new Received(message.decode(shared.decoder()), message.size(), 0);
            verdict = seat.read(received.wellFormed());
        }
        if (verdict == Admission.Verdict.ABUSE) {
            disconnect(Disconnect.ABUSE);
        } else if (!refusedAtOnce(received)) {
            enqueue(received);
        }
    }

    private void enqueue(Received message) {
        boolean overloaded = false;
        boolean start = false;
        lock.lock();
        try {
            if (closed) {
                return;
            }
            Received last = pending.peekLast();
            if (message.unread() > 0 && last != null && last.unread() > 0) {
                // Messages that come too fast take no room, and are answered in their turn all the same.
                pending.removeLast();
                pending.addLast(new Received(null, 0, last.unread() + message.unread()));
            } else if (pending.size() >= shared.limits().maxPendingMessages()
                    || pendingBytes + message.size() > shared.limits().maxPendingBytes()) {
                overloaded = true;
            } else {
                pending.addLast(message);
                pendingBytes += message.size();
            }
            start = !overloaded && !busy;
            busy |= start;
        } finally {
            lock.unlock();
        }
        if (overloaded) {
            disconnect(Disconnect.OVERLOADED);
        } else if (start) {
            run(shared.executor(), this::work);
        }
    }

    /** Answers what needs no thought on the thread that brings it; not while others wait to be answered before it. */
    private boolean refusedAtOnce(Received message) {
        if (message.wellFormed()) {
            return false;
        }
        lock.lock();
        try {
            if (closed) {
                return true;
            }
            if (busy) {
                return false;
            }
        } finally {
            lock.unlock();
        }
        answerRefused(message);
        return true;
    }

    private void answerRefused(Received message) {
        for (int i = 0; i < message.unread(); i++) {
            refuse(AgentsRefusal.TOO_MANY_MESSAGES, null);
        }
        if (message.envelope() instanceof Checked.Refused<SignedEnvelope> refused) {
            refuse(refused.refusal());
        }
    }

    private void refuse(Refusal refusal) {
        shared.ports().delivery().tally().refused(refusal.code().text());
        outbox.answer(AgentsFrames.error(refusal));
    }

    private void refuse(AgentsRefusal refusal, @Nullable String key) {
        shared.ports().delivery().tally().refused(refusal.code());
        outbox.answer(AgentsFrames.error(refusal, key));
    }

    /** Frames came that are no messages: a sign of life, counted like messages. */
    void frames(int count) {
        outbox.heard();
        if (seat.frames(count) == Admission.Verdict.ABUSE) {
            disconnect(Disconnect.ABUSE);
        }
    }

    /** The connection is gone. May be called twice. */
    void closed() {
        endInbound();
        debug("[agents/ws] close");
        outbox.closed();
    }

    /** The engine closes the connection: nothing that comes in counts any more. */
    void ended() {
        endInbound();
    }

    /** Closes the socket if nothing was subscribed in time; call it about once a second. */
    void tick() {
        long waited = shared.nanoTime().getAsLong() - openedNanos;
        if (!subscriptions.bound() && waited > shared.limits().unboundTimeout().toNanos()) {
            disconnect(Disconnect.UNBOUND);
        }
    }

    /** What it is subscribed to. */
    Subscriptions subscriptions() {
        return subscriptions;
    }

    private void disconnect(Disconnect reason) {
        if (endInbound()) {
            outbox.disconnect(reason);
        }
    }

    /** Drops what waits and takes no more; true the first time. */
    private boolean endInbound() {
        lock.lock();
        try {
            boolean first = !closed;
            closed = true;
            pending.clear();
            pendingBytes = 0;
            return first;
        } finally {
            lock.unlock();
            seat.leave();
            subscriptions.closed();
        }
    }

    /** Works on messages until one needs a verification, which goes on with the rest. */
    private void work() {
        for (Received message = nextOrNull(); message != null; message = nextOrNull()) {
            if (message.envelope() instanceof Checked.Accepted<SignedEnvelope> signed) {
                run(shared.verifications(), new Verification(signed.value()));
                return;
            }
            boolean answered = false;
            try {
                answerRefused(message);
                answered = true;
            } finally {
                if (!answered) {
                    // Whatever was thrown: it must not stop the messages behind this one.
                    run(shared.executor(), this::work);
                }
            }
        }
    }

    private @Nullable Received nextOrNull() {
        lock.lock();
        try {
            Received next = pending.poll();
            busy = next != null;
            pendingBytes -= next == null ? 0 : next.size();
            return next;
        } finally {
            lock.unlock();
        }
    }

    /** The signature on the bounded executor, then what may wait for a database on the other. */
    private void verify(SignedEnvelope signed) {
        Runnable answer = unavailable();
        long began = shared.nanoTime().getAsLong();
        try {
            answer = shared.verifier()
                    .proven(signed, shared.clock().millis())
                    .fold(proof -> () -> authorize(proof), refusal -> () -> refuse(refusal));
        } catch (RuntimeException broken) {
            LOG.log(System.Logger.Level.WARNING, "[agents/ws] a signature could not be verified");
        } finally {
            shared.ports().delivery().tally().verified(shared.nanoTime().getAsLong() - began);
            // Also behind an Error, which is no answer: the messages behind this one go on.
            Runnable checked = answer;
            run(shared.executor(), () -> answerAndGoOn(checked, true));
        }
    }

    private void answerAndGoOn(Runnable answer, boolean first) {
        boolean answered = false;
        try {
            answer.run();
            answered = true;
        } finally {
            if (answered) {
                work();
            } else if (first) {
                run(shared.executor(), () -> answerAndGoOn(unavailable(), false));
            } else {
                disconnect(Disconnect.OVERLOADED);
            }
        }
    }

    private void authorize(SignatureProof proof) {
        Checked<VerifiedEnvelope> outcome = shared.verifier().authorized(proof);
        if (outcome instanceof Checked.Accepted<VerifiedEnvelope> verified) {
            perform(verified.value());
        } else if (outcome instanceof Checked.Refused<VerifiedEnvelope> refused) {
            refuse(refused.refusal());
        }
    }

    private Runnable unavailable() {
        return () -> refuse(AgentsRefusal.UNAVAILABLE, null);
    }

    private void perform(VerifiedEnvelope envelope) {
        if (isClosed()) {
            return;
        }
        SubscribeAction action = new SubscribeAction(envelope.action());
        if (!subscriptions.bound() && !seat.bind(envelope.account().text())) {
            refuse(AgentsRefusal.TOO_MANY_SOCKETS, action.keyTextOrNull());
            return;
        }
        AgentsRefusal refusal;
        try {
            if (envelope.actionName().equals(SUBSCRIBE)) {
                subscriptions.subscribe(envelope, action);
                debug("[agents/ws] subscribed");
            } else if (subscriptions.v2() && envelope.actionName().equals(UNSUBSCRIBE)) {
                subscriptions.unsubscribe(envelope, action);
            } else {
                throw new SubscribeAction.Refused(AgentsRefusal.EXPECTED_SUBSCRIBE);
            }
            return;
        } catch (SubscribeAction.Refused refused) {
            refusal = refused.refusal();
        } catch (RuntimeException brokenPort) {
            LOG.log(System.Logger.Level.WARNING, "[agents/ws] a subscription could not be made");
            refusal = AgentsRefusal.UNAVAILABLE;
        }
        String key = refusal == AgentsRefusal.EXPECTED_SUBSCRIBE ? null : action.keyTextOrNull();
        refuse(refusal, key);
    }

    private boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /** Hands work on; a socket whose work nobody takes is closed, since what waits on it would wait for ever. */
    private void run(Executor executor, Runnable work) {
        try {
            executor.execute(work);
        } catch (RuntimeException | Error noThread) {
            // The server stops, or a host's pool is full; one that cannot start a thread says so with an error.
            giveUp();
        }
    }

    /** Nobody would go on with what waits here. */
    private void giveUp() {
        LOG.log(System.Logger.Level.WARNING, "[agents/ws] no thread for a message; its socket is closed");
        disconnect(Disconnect.OVERLOADED);
    }

    /** A message that waits for its verification. */
    private final class Verification implements Runnable {
        private final SignedEnvelope signed;

        Verification(SignedEnvelope signed) {
            this.signed = signed;
        }

        @Override
        public void run() {
            verify(signed);
        }

        void drop() {
            giveUp();
        }
    }

    /** A task of a socket that waited for a verification and will never run: its socket is closed, and comes back. */
    static void dropVerification(Runnable task) {
        ((Verification) task).drop();
    }

    private static void debug(String line) {
        LOG.log(System.Logger.Level.DEBUG, line);
    }
}
