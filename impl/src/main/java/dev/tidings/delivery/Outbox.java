package dev.tidings.delivery;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Everything that goes to one socket: answers, and what its subscriptions pull.
 *
 * <p>Threads: any.
 */
public final class Outbox {

    /*
     * One drain at a time, on the executor, puts batches together and hands them to the sink; `scheduled` is set from
     * the moment a drain is handed to the executor until it has found nothing to do or has left a send in flight. A
     * send that completes meanwhile only clears `inFlight`, and the drain goes on; one that completes later schedules
     * a drain. So there is never more than one send in flight (law 7), and a completion never sends.
     *
     * What has to happen without the lock is collected in an Aftermath while it is held (law 8).
     *
     * The file is longer than others since all of this is one state machine under one lock.
     */

    /** How far an outbox is. */
    enum State {
        /** It sends everything. */
        OPEN,
        /** It sends the answers that wait, and then closes. */
        CLOSING,
        /** The sink was told to close. */
        CLOSE_SENT,
        /** The socket is gone. */
        GONE
    }

    private static final Logger LOG = System.getLogger("dev.tidings.delivery");

    private final EngineLock lock = new EngineLock(EngineLock.Rank.OUTBOX);
    private final Engine engine;
    private final Sink sink;

    @GuardedBy("lock")
    private State state = State.OPEN;

    @GuardedBy("lock")
    private @Nullable Disconnect closeReason;

    @GuardedBy("lock")
    private long closingSince;

    @GuardedBy("lock")
    private final Deque<Frame> answers = new ArrayDeque<>();

    @GuardedBy("lock")
    private int answerBytes;

    @GuardedBy("lock")
    private final Map<Channel, Subscription> subscriptions = new LinkedHashMap<>();

    @GuardedBy("lock")
    private final Turns turns;

    @GuardedBy("lock")
    private final SentSnapshots sent = new SentSnapshots();

    @GuardedBy("lock")
    private boolean scheduled;

    @GuardedBy("lock")
    private @Nullable Flight inFlight;

    @GuardedBy("lock")
    private boolean pingDue;

    /** When a ping was last due. What else is sent does not count: a peer that only listens answers nothing but pings. */
    @GuardedBy("lock")
    private long lastPing;

    // Volatile: written by heard(), read by tick().
    private volatile long lastHeard;

    Outbox(Engine engine, Sink sink) {
        this.engine = engine;
        this.sink = sink;
        this.turns = new Turns(engine.limits().batchMaxBytes());
        this.lastPing = engine.nanoTime().getAsLong();
        this.lastHeard = lastPing;
    }

    /** Sends a frame behind the answers before it, and before anything of a subscription that is started later. */
    public void answer(Frame frame) {
        Aftermath after = new Aftermath();
        lock.lock();
        try {
            if (state != State.OPEN) {
                return;
            }
            if (waitingBytesLocked() + frame.size() > engine.limits().outboxMaxBytes()) {
                closeLocked(Disconnect.SLOW, after);
            } else {
                answers.addLast(frame);
                answerBytes += frame.size();
            }
            scheduleLocked(after);
        } finally {
            lock.unlock();
        }
        after.run();
    }

    /**
     * Registers a subscription. One to the same channel is replaced: nothing of the old one is sent once the new one
     * has started, and nothing twice.
     *
     * @param gate must be open for anything of it to be sent
     */
    public Subscription subscribe(Channel channel, Gate gate) {
        return subscribe(channel, gate, "");
    }

    /**
     * The same, for a peer to whom some snapshots are shown in a way of its own.
     *
     * @param view names that way
     */
    @SuppressWarnings("GuardedBy") // handed on, to be used under the lock
    public Subscription subscribe(Channel channel, Gate gate, String view) {
        Subscription subscription = new Subscription(this, channel, gate, view, sent);
        Aftermath after = new Aftermath();
        boolean open;
        lock.lock();
        try {
            open = state == State.OPEN;
            if (open) {
                Subscription old = subscriptions.get(channel);
                if (old != null) {
                    endLocked(old, after);
                }
                subscriptions.put(channel, subscription);
            } else {
                subscription.over();
            }
        } finally {
            lock.unlock();
        }
        after.run();
        if (open) {
            subscription.attach(engine.streams());
        }
        return subscription;
    }

    /** Something came in from the peer. */
    public void heard() {
        lastHeard = engine.nanoTime().getAsLong();
    }

    /** Sends what answers wait, then closes the socket. */
    public void disconnect(Disconnect reason) {
        Aftermath after = new Aftermath();
        lock.lock();
        try {
            closeLocked(reason, after);
            scheduleLocked(after);
        } finally {
            lock.unlock();
        }
        after.run();
    }

    /** The socket is gone: frees everything. */
    public void closed() {
        Aftermath after = new Aftermath();
        lock.lock();
        try {
            goneLocked(after);
        } finally {
            lock.unlock();
        }
        after.run();
    }

    // ---- for subscriptions

    /** A subscription has its place in its stream; if it is over by now, it leaves again. */
    void attached(Subscription subscription, Streams.Seat seat) {
        boolean over;
        lock.lock();
        try {
            subscription.attached(seat);
            over = subscription.state() == Subscription.State.OVER;
        } finally {
            lock.unlock();
        }
        if (over) {
            subscription.detach(engine.streams());
        }
    }

    boolean start(Subscription subscription, Opening opening, boolean evenOutdated) {
        Aftermath after = new Aftermath();
        lock.lock();
        try {
            if (subscription.state() == Subscription.State.OVER) {
                return true;
            }
            if (!evenOutdated && sent.outdated(opening.seen())) {
                return false;
            }
            subscription.started(opening);
            // A single opening may be larger than the bound, since it has to be sent somehow; a second one may not.
            long waiting = waitingBytesLocked();
            boolean tooMuch = waiting > subscription.openingBytes()
                    && waiting > engine.limits().outboxMaxBytes();
            if (tooMuch) {
                closeLocked(Disconnect.SLOW, after);
            }
            if (state == State.OPEN) {
                turns.readyFirst(subscription);
            }
            scheduleLocked(after);
        } finally {
            lock.unlock();
        }
        after.run();
        return true;
    }

    void cancel(Subscription subscription) {
        Aftermath after = new Aftermath();
        lock.lock();
        try {
            if (subscription.state() != Subscription.State.OVER) {
                endLocked(subscription, after);
                scheduleLocked(after);
            }
        } finally {
            lock.unlock();
        }
        after.run();
    }

    void wake(Subscription subscription) {
        Aftermath after = new Aftermath();
        lock.lock();
        try {
            readyLocked(subscription);
            scheduleLocked(after);
        } finally {
            lock.unlock();
        }
        after.run();
    }

    void pageArrived(PageTicket arrived, Page page) {
        Aftermath after = new Aftermath();
        lock.lock();
        try {
            if (!turns.arrived(arrived, page)) {
                closeLocked(Disconnect.SLOW, after);
            }
            scheduleLocked(after);
        } finally {
            lock.unlock();
        }
        after.run();
    }

    // ---- for the engine

    /** Watchdogs and pings. */
    void tick() {
        DeliveryLimits limits = engine.limits();
        long now = engine.nanoTime().getAsLong();
        Aftermath after = new Aftermath();
        lock.lock();
        try {
            boolean silent = now - lastHeard > limits.heartbeatTimeout().toNanos();
            Flight flight = inFlight;
            boolean stuck =
                    flight != null && now - flight.since > limits.sendTimeout().toNanos();
            boolean late = closeReason != null
                    && now - closingSince > limits.sendTimeout().toNanos();
            if (stuck || late) {
                abortLocked(closeReason == null ? Disconnect.SLOW : closeReason, after);
            } else if (silent && flight != null) {
                abortLocked(closeReason == null ? Disconnect.SILENT : closeReason, after);
            } else if (silent) {
                closeLocked(Disconnect.SILENT, after);
            } else if (now - lastPing >= limits.heartbeatInterval().toNanos()) {
                lastPing = now;
                pingDue = state == State.OPEN;
            }
            scheduleLocked(after);
        } finally {
            lock.unlock();
        }
        after.run();
    }

    private void drain() {
        while (true) {
            Aftermath after = new Aftermath();
            Step step;
            lock.lock();
            try {
                step = stepLocked(after);
            } finally {
                lock.unlock();
            }
            after.run();
            if (step.page() != null) {
                step.page().request(engine.pages());
            }
            if (step.close() != null) {
                sink.close(step.close());
            }
            Flight flight = step.flight();
            if (flight == null) {
                return;
            }
            send(flight);
            lock.lock();
            try {
                if (inFlight == flight) {
                    scheduled = false;
                    return;
                }
            } finally {
                lock.unlock();
            }
        }
    }

    private void send(Flight flight) {
        assert EngineLock.noneHeld() : "the sink is called under a lock";
        try {
            if (flight.frames.isEmpty()) {
                sink.ping(flight);
            } else {
                sink.send(flight.frames, flight);
            }
        } catch (RuntimeException bug) {
            LOG.log(Level.ERROR, "a sink threw; its socket is dropped");
            flight.failed();
        }
    }

    private void completed(Flight flight, boolean succeeded) {
        Aftermath after = new Aftermath();
        lock.lock();
        try {
            if (inFlight != flight) {
                return;
            }
            inFlight = null;
            if (succeeded) {
                scheduleLocked(after);
            } else {
                abortLocked(closeReason == null ? Disconnect.SLOW : closeReason, after);
            }
        } finally {
            lock.unlock();
        }
        after.run();
    }

    // ---- under the lock

    /** What to do next; without a send the drain is over. */
    @GuardedBy("lock")
    private Step stepLocked(Aftermath after) {
        if (inFlight != null || state == State.CLOSE_SENT || state == State.GONE) {
            scheduled = false;
            return Step.IDLE;
        }
        // First, or a busy stream would never let it out.
        if (pingDue && state == State.OPEN) {
            pingDue = false;
            return new Step(null, takeOffLocked(List.of()), null);
        }
        Batch batch = new Batch(engine.limits().batchMaxBytes());
        takeAnswersLocked(batch);
        // An answer that had no room is not overtaken.
        if (state == State.OPEN && answers.isEmpty()) {
            if (!turns.take(batch)) {
                closeLocked(Disconnect.SLOW, after);
            }
        }
        PageTicket page = turns.nextPage();
        if (!batch.isEmpty()) {
            return new Step(page, takeOffLocked(batch.frames()), null);
        }
        if (state == State.CLOSING) {
            state = State.CLOSE_SENT;
            scheduled = false;
            return new Step(null, null, closeReason);
        }
        scheduled = false;
        return new Step(page, null, null);
    }

    /** Answers and openings; what subscriptions pull waits elsewhere. */
    @GuardedBy("lock")
    private long waitingBytesLocked() {
        long bytes = answerBytes;
        for (Subscription subscription : subscriptions.values()) {
            bytes += subscription.openingBytes();
        }
        return bytes;
    }

    @GuardedBy("lock")
    private Flight takeOffLocked(List<Frame> frames) {
        Flight flight = new Flight(frames, engine.nanoTime().getAsLong());
        assert inFlight == null : "one send in flight";
        inFlight = flight;
        return flight;
    }

    @GuardedBy("lock")
    private void takeAnswersLocked(Batch batch) {
        batch.beginTurn(engine.limits().batchMaxBytes());
        while (!answers.isEmpty()) {
            Frame frame = answers.getFirst();
            if (batch.offer(List.of(frame), frame.size()) != Batch.Offer.TAKEN) {
                return;
            }
            answers.removeFirst();
            answerBytes -= frame.size();
        }
    }

    @GuardedBy("lock")
    private void readyLocked(Subscription subscription) {
        if (state == State.OPEN) {
            turns.ready(subscription);
        }
    }

    @GuardedBy("lock")
    private void scheduleLocked(Aftermath after) {
        boolean work = state == State.CLOSING || !answers.isEmpty() || turns.hasWork() || pingDue;
        if (work && !scheduled && inFlight == null && state != State.CLOSE_SENT && state != State.GONE) {
            scheduled = true;
            after.drain = true;
        }
    }

    @GuardedBy("lock")
    private void endLocked(Subscription subscription, Aftermath after) {
        subscription.over();
        subscriptions.remove(subscription.channel(), subscription);
        turns.remove(subscription);
        after.leaving.add(subscription);
    }

    @GuardedBy("lock")
    private void endAllLocked(Aftermath after) {
        for (Subscription subscription : List.copyOf(subscriptions.values())) {
            endLocked(subscription, after);
        }
        assert turns.isEmpty() : "nothing is left of subscriptions";
    }

    @GuardedBy("lock")
    private void closeLocked(Disconnect reason, Aftermath after) {
        if (state == State.OPEN) {
            state = State.CLOSING;
            closeReason = reason;
            closingSince = engine.nanoTime().getAsLong();
            endAllLocked(after);
        }
    }

    @GuardedBy("lock")
    private void abortLocked(Disconnect reason, Aftermath after) {
        if (state != State.GONE) {
            goneLocked(after);
            after.abort = reason;
        }
    }

    @GuardedBy("lock")
    private void goneLocked(Aftermath after) {
        if (state != State.GONE) {
            state = State.GONE;
            endAllLocked(after);
            answers.clear();
            answerBytes = 0;
            inFlight = null;
            after.gone = true;
        }
    }

    State state() {
        lock.lock();
        try {
            return state;
        } finally {
            lock.unlock();
        }
    }

    /** The state, for people. */
    @Override
    public String toString() {
        lock.lock();
        try {
            return "Outbox[" + state + (inFlight == null ? "" : ", sending") + (scheduled ? ", scheduled" : "") + ", "
                    + answers.size() + " answers, " + subscriptions.size() + " subscriptions, " + turns + "]";
        } finally {
            lock.unlock();
        }
    }

    private record Step(
            @Nullable PageTicket page,
            @Nullable Flight flight,
            @Nullable Disconnect close) {
        static final Step IDLE = new Step(null, null, null);
    }

    /** A send or, without frames, a ping, from when it was taken until it completes. */
    private final class Flight implements Sink.Completion {
        final List<Frame> frames;
        final long since;

        Flight(List<Frame> frames, long since) {
            this.frames = frames;
            this.since = since;
        }

        @Override
        public void succeeded() {
            completed(this, true);
        }

        @Override
        public void failed() {
            completed(this, false);
        }
    }

    /** What is done after the lock was released. */
    private final class Aftermath {
        // Confined, all of them: the method that made it.
        final List<Subscription> leaving = new ArrayList<>();
        boolean drain;
        boolean gone;

        @Nullable
        Disconnect abort;

        void run() {
            leaving.forEach(subscription -> subscription.detach(engine.streams()));
            if (abort != null) {
                sink.abort(abort);
            }
            if (gone) {
                engine.forget().accept(Outbox.this);
            }
            if (drain && !engine.tasks().run(Outbox.this::drain)) {
                lock.lock();
                try {
                    scheduled = false;
                } finally {
                    lock.unlock();
                }
            }
        }
    }
}
