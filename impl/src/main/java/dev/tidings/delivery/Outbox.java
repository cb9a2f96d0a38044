package dev.tidings.delivery;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tidings.spi.Counters.Counter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Everything that goes to one socket: answers, and what its subscriptions pull.
 *
 * <p>Threads: any.
 */
public final class Outbox {

    /*
     * One drain at a time, on the executor, puts batches together and hands them to the sink; `scheduled` is set from
     * the moment a drain is handed to the executor, or begun by whoever wakes many sockets, until it has found nothing to
     * do or has left a send in flight. A send that completes within the call that sends is noted, and the drain clears
     * `inFlight` when it takes the lock again anyway; one that completes meanwhile on another thread clears it itself, and the
     * drain goes on; one that completes later schedules a drain. So there is never more than one send in flight (law 7), and
     * a completion never sends.
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

    /** A peer that is silent hardly answers a close: the connection is dropped sooner, within the minute. */
    private static final long SILENT_CLOSE_NANOS = Duration.ofSeconds(10).toNanos();

    private final EngineLock lock = new EngineLock(EngineLock.Rank.OUTBOX);
    private final Engine engine;
    private final Sink sink;
    private final int copies;
    private final boolean prompt;
    // Made once: handing it over must need no memory.
    private final Runnable drain = this::drain;

    @GuardedBy("lock")
    private State state = State.OPEN;

    @GuardedBy("lock")
    private @Nullable Disconnect closeReason;

    @GuardedBy("lock")
    private long closingSince;

    @GuardedBy("lock")
    private final Answers answers = new Answers();

    // What the node's budget counts for it, what its send in flight holds apart.
    @GuardedBy("lock")
    private long counted;

    @GuardedBy("lock")
    private long countedSending;

    /** It stands in line for room for the copies of a large frame. */
    @GuardedBy("lock")
    private boolean inLine;

    /** It was called, and may take room though others are in line. */
    @GuardedBy("lock")
    private boolean called;

    @GuardedBy("lock")
    private final List<Subscription> subscriptions = new ArrayList<>(0);

    // Confined: what it holds is touched under the lock alone.
    private final Subscription.Openings openings = new Subscription.Openings();

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

    // Volatile: said by the protocol at any time, read when the server stops.
    private volatile Disconnect stopsWith = Disconnect.GOING_AWAY;

    // Volatile: written by heard(), read by tick().
    private volatile long lastHeard;

    Outbox(Engine engine, Sink sink) {
        this.engine = engine;
        this.sink = sink;
        // Asked here, where no lock is held (law 8).
        this.copies = sink.copies();
        this.prompt = sink.prompt();
        this.turns = new Turns(engine.limits().batchMaxBytes());
        this.lastPing = engine.nanoTime().getAsLong();
        this.lastHeard = lastPing;
    }

    /** Sends a frame behind the answers before it, and before anything of a subscription that is started later. */
    public void answer(Frame frame) {
        add(new Answers.Answer(frame, null, List.of(), frame));
    }

    /**
     * The same for a frame that tells of what is behind gates.
     *
     * @param gates are asked when its turn comes (law 6)
     * @param otherwise is sent in its place if one of them is closed then
     */
    public void answer(Frame frame, List<Gate> gates, Frame otherwise) {
        add(new Answers.Answer(frame, null, List.copyOf(gates), otherwise));
    }

    void answer(Frame frame, Subscription to) {
        add(new Answers.Answer(frame, to, List.of(), frame));
    }

    private void add(Answers.Answer answer) {
        Aftermath after = new Aftermath();
        lock.lock();
        try {
            if (state != State.OPEN) {
                return;
            }
            if (tooMuchLocked(answer.bytes())) {
                closeLocked(Disconnect.SLOW, after);
            } else {
                answers.add(answer);
            }
            scheduleLocked(after);
            countLocked();
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
        Channel shared = engine.streams().shared(channel);
        Subscription subscription =
                new Subscription(this, shared, gate, view, new Subscription.OfSocket(sent, openings));
        Aftermath after = new Aftermath();
        boolean open;
        lock.lock();
        try {
            open = state == State.OPEN;
            if (open) {
                Subscription old = toLocked(shared);
                if (old != null) {
                    endLocked(old, after);
                }
                subscriptions.add(subscription);
                engine.watch().tally().add(Counter.SUBSCRIPTIONS, 1);
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

    /** They are few: one after the other is fast enough, and a table would take more memory than what is in it. */
    @GuardedBy("lock")
    private @Nullable Subscription toLocked(Channel channel) {
        for (Subscription subscription : subscriptions) {
            if (subscription.channel().equals(channel)) {
                return subscription;
            }
        }
        return null;
    }

    /** Something came in from the peer. */
    public void heard() {
        lastHeard = engine.nanoTime().getAsLong();
    }

    /** How the peer is told that the server stops; {@link Disconnect#GOING_AWAY} unless said otherwise. */
    public void stopsWith(Disconnect reason) {
        stopsWith = reason;
    }

    /** The server stops. */
    void stop() {
        disconnect(stopsWith);
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
            Opening fitting = opening;
            if (!opening.behind().isEmpty() && tooMuchLocked(opening.bytes(), opening.bytes())) {
                // Closed for it, the peer would come back and ask for the same.
                fitting = opening.withoutText();
                engine.watch().tally().runningTextCut();
            }
            subscription.started(fitting);
            if (tooMuchLocked(0)) {
                closeLocked(Disconnect.SLOW, after);
            }
            readyLocked(subscription);
            scheduleLocked(after);
            countLocked();
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

    /**
     * The same for one of many sockets: the drain, if one is due, is begun here, unless a send may hold its thread. One batch;
     * what is left goes out in a task of its own.
     */
    void wakeAndSend(Subscription subscription, Counts counts) {
        if (!prompt) {
            wake(subscription);
            return;
        }
        boolean mine = false;
        try {
            Aftermath after = new Aftermath(counts);
            Step step = Step.IDLE;
            lock.lock();
            try {
                readyLocked(subscription);
                scheduleLocked(after);
                mine = after.drain;
                if (mine) {
                    after.drain = false;
                    step = stepLocked(after);
                    countLocked();
                }
            } finally {
                lock.unlock();
            }
            after.run();
            Flight flight = carryOut(step);
            if (flight != null) {
                send(flight);
                handOn(flight, counts);
            }
        } catch (RuntimeException | Error trouble) {
            if (!mine) {
                throw trouble;
            }
            abandon(trouble);
        }
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
            boolean late = closeReason != null && now - closingSince > closeTimeout(closeReason);
            if (flight != null && now - flight.since > Relief.STUCK_NANOS) {
                // What it holds may be held by nobody else by now.
                flight.slow = true;
                countLocked();
            }
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

    private long closeTimeout(Disconnect reason) {
        long patience = engine.limits().sendTimeout().toNanos();
        return reason == Disconnect.SILENT ? Math.min(patience, SILENT_CLOSE_NANOS) : patience;
    }

    /**
     * How much of the node's memory is this socket's own or held by its send, how much of it is room for copies, and for how
     * long it has been taking what it was sent last.
     */
    record Burden(long bytes, long copyRoom, long sendingForNanos) {}

    Burden burden() {
        long now = engine.nanoTime().getAsLong();
        lock.lock();
        try {
            Flight flight = inFlight;
            return new Burden(
                    counted + countedSending + (flight == null ? 0 : flight.batch.largeBytes()),
                    flight == null ? 0 : flight.batch.copyRoom(),
                    flight == null ? 0 : now - flight.since);
        } finally {
            lock.unlock();
        }
    }

    /** Its turn has come to take room for the copies of a large frame; false if it needs none now. */
    boolean called() {
        Aftermath after = new Aftermath();
        boolean needed;
        lock.lock();
        try {
            inLine = false;
            scheduleLocked(after);
            // While a send is in flight no drain takes room; it would keep what was meant for whoever is next.
            needed = scheduled && inFlight == null;
            called = needed;
        } finally {
            lock.unlock();
        }
        after.run();
        return needed;
    }

    /** Memory is short: closes the socket and keeps nothing for it. */
    void giveUp() {
        Aftermath after = new Aftermath();
        lock.lock();
        try {
            if (inFlight != null) {
                abortLocked(closeReason == null ? Disconnect.SLOW : closeReason, after);
            } else {
                answers.clear();
                closeLocked(Disconnect.SLOW, after);
                scheduleLocked(after);
            }
            countLocked();
        } finally {
            lock.unlock();
        }
        after.run();
    }

    /** The drain that was promised does not come: the next tick sees to it. */
    private void drainRefused() {
        lock.lock();
        try {
            scheduled = false;
        } finally {
            lock.unlock();
        }
    }

    private void drain() {
        try {
            drainAll();
        } catch (RuntimeException | Error trouble) {
            abandon(trouble);
        }
    }

    /** The peer comes back and resumes; a drain that is broken would leave it waiting. */
    private void abandon(Throwable trouble) {
        abandon();
        engine.watch().trouble().survived(trouble, "a socket's outbox failed and is given up");
    }

    private void abandon() {
        Aftermath after = new Aftermath();
        lock.lock();
        try {
            scheduled = false;
            abortLocked(closeReason == null ? Disconnect.SLOW : closeReason, after);
        } finally {
            lock.unlock();
        }
        after.run();
    }

    private void drainAll() {
        Flight sent = null;
        while (true) {
            Aftermath after = new Aftermath();
            Step step;
            lock.lock();
            try {
                endIfOverLocked(sent, after);
                step = stepLocked(after);
                countLocked();
            } finally {
                lock.unlock();
            }
            after.run();
            sent = carryOut(step);
            if (sent == null) {
                return;
            }
            send(sent);
            // If that is still in flight, the next step finds it, and ends the drain.
        }
    }

    /** Does what is to be done without the lock; gives what is to be sent. */
    private @Nullable Flight carryOut(Step step) {
        PageTicket page = step.page();
        if (page != null) {
            page.request(engine.pages());
        }
        Disconnect close = step.close();
        if (close != null) {
            // A sink that cannot even close is aborted when the close takes too long.
            engine.watch().trouble().guarded(() -> sink.close(close), "a sink could not close");
        }
        return step.flight();
    }

    /** Ends a drain as if there was nothing to do; if there is, another one is handed over. */
    private void handOn(Flight sent, Counts counts) {
        Aftermath after = new Aftermath(counts);
        lock.lock();
        try {
            endIfOverLocked(sent, after);
            scheduled = false;
            scheduleLocked(after);
            if (!scheduled) {
                endCallLocked(after);
            }
            countLocked();
        } finally {
            lock.unlock();
        }
        after.run();
    }

    private void send(Flight flight) {
        assert EngineLock.noneHeld() : "the sink is called under a lock";
        flight.drainer = Thread.currentThread();
        try {
            if (flight.batch.isEmpty()) {
                sink.ping(flight);
            } else {
                List<Frame> frames = flight.batch.frames(engine.watch().trouble());
                flight.sends(frames);
                if (frames.isEmpty()) {
                    flight.succeeded();
                } else {
                    sink.send(frames, flight);
                }
            }
        } catch (RuntimeException | Error bug) {
            engine.watch().trouble().survived(bug, "a sink threw; its socket is dropped");
            flight.failed();
        } finally {
            flight.drainer = null;
        }
    }

    private void completed(Flight flight, boolean succeeded) {
        if (flight.notes(succeeded)) {
            return;
        }
        Aftermath after = new Aftermath();
        lock.lock();
        try {
            endedLocked(flight, succeeded, after);
            countLocked();
            scheduleLocked(after);
        } finally {
            lock.unlock();
        }
        after.run();
    }

    // ---- under the lock

    /** Ends a send that completed within the call that sent it. */
    @GuardedBy("lock")
    private void endIfOverLocked(@Nullable Flight sent, Aftermath after) {
        if (sent != null && sent.noted != null) {
            endedLocked(sent, sent.noted, after);
        }
    }

    /** A send has ended, unless it had before: what is told twice, or late, counts once. */
    @GuardedBy("lock")
    private void endedLocked(Flight flight, boolean succeeded, Aftermath after) {
        if (inFlight != flight) {
            return;
        }
        endFlightLocked(after);
        if (succeeded) {
            countSentLocked(flight, after);
        } else {
            abortLocked(closeReason == null ? Disconnect.SLOW : closeReason, after);
        }
    }

    /** What to do next; without a send the drain is over. */
    @GuardedBy("lock")
    private Step stepLocked(Aftermath after) {
        // If it throws, the call still stands, and is passed on when the socket is given up.
        Step step = nextLocked(after);
        endCallLocked(after);
        return step;
    }

    @GuardedBy("lock")
    private void endCallLocked(Aftermath after) {
        if (called) {
            called = false;
            if (!inLine) {
                // It took its room, or needs none now, whatever came between: the gate closed, or a ping was first.
                passOnLocked(after);
            }
        }
    }

    @GuardedBy("lock")
    private Step nextLocked(Aftermath after) {
        if (inFlight != null || state == State.CLOSE_SENT || state == State.GONE) {
            scheduled = false;
            return Step.IDLE;
        }
        // First, or a busy stream would never let it out.
        if (pingDue && state == State.OPEN) {
            pingDue = false;
            return new Step(null, takeOffLocked(new Batch(0, 0, CopyRoom.NONE), after), null);
        }
        Batch batch = newBatchLocked();
        boolean well = false;
        try {
            Step step = fillLocked(batch, after);
            well = true;
            return step;
        } finally {
            // Of one that has taken off, whoever ends its flight gives it back.
            if (!well && inFlight == null) {
                engine.watch().copies().give(batch.copyRoom());
            }
        }
    }

    /** Puts a batch together; what comes next is that, or what is to be done without one. */
    @GuardedBy("lock")
    private Step fillLocked(Batch batch, Aftermath after) {
        takeAnswersLocked(batch);
        // An answer that had no room is not overtaken.
        if (state == State.OPEN && answers.isEmpty()) {
            if (!turns.take(batch)) {
                closeLocked(Disconnect.SLOW, after);
            }
        }
        // Also if it is empty: what was dropped is not in it.
        countTakenLocked(batch, after.counts);
        PageTicket page = turns.nextPage();
        if (!batch.isEmpty()) {
            return new Step(page, takeOffLocked(batch, after), null);
        }
        if (batch.heldBack()) {
            waitForRoomLocked(batch.lacking(), after);
            return new Step(page, null, null);
        }
        if (state == State.CLOSING) {
            state = State.CLOSE_SENT;
            scheduled = false;
            engine.watch().tally().refused(Integer.toString(code(closeReason)));
            return new Step(null, null, closeReason);
        }
        scheduled = false;
        return new Step(page, null, null);
    }

    @GuardedBy("lock")
    private Batch newBatchLocked() {
        CopyRoom room = engine.watch().copies();
        boolean mayCopy = called || !room.crowded();
        return new Batch(engine.limits().batchMaxBytes(), copies, mayCopy ? room : CopyRoom.NONE);
    }

    /** Nothing is held meanwhile but cursors and answers. Whoever was called and finds too little stays first. */
    @GuardedBy("lock")
    private void waitForRoomLocked(long need, Aftermath after) {
        scheduled = false;
        if (!inLine) {
            inLine = true;
            CopyRoom room = engine.watch().copies();
            if (called) {
                room.stayFirst(this, need);
            } else {
                room.await(this, need);
            }
            // Nobody would call if enough of it was given back just before.
            after.roomToGive |= room.fits(need);
        }
    }

    /** Its call is over: the next in line may find room. */
    @GuardedBy("lock")
    private void passOnLocked(Aftermath after) {
        engine.watch().copies().moved();
        after.roomToGive = true;
    }

    private static int code(@Nullable Disconnect reason) {
        return reason == null ? Disconnect.GOING_AWAY.code() : reason.code();
    }

    @GuardedBy("lock")
    private void countLocked() {
        long now = heldBytesLocked();
        engine.budget().add(now - counted);
        counted = now;
        long nowSending = sendingBytesLocked();
        engine.budget().addSending(nowSending - countedSending);
        countedSending = nowSending;
    }

    /** What waits, and the memory of snapshots that were sent. */
    @GuardedBy("lock")
    private long heldBytesLocked() {
        return state == State.GONE ? 0 : waitingBytesLocked() + sent.bytes();
    }

    /**
     * What was made for the send in flight, by the engine or the container, and no other; of one that is slow, all, since
     * what it shares may be gone elsewhere. Large frames are counted when it takes off, once for all sends.
     */
    @GuardedBy("lock")
    private long sendingBytesLocked() {
        Flight flight = inFlight;
        if (flight == null) {
            return 0;
        }
        return flight.slow ? flight.batch.allBytes() : flight.batch.ownBytes() + flight.batch.copyRoom();
    }

    @GuardedBy("lock")
    private void countSentLocked(Flight flight, Aftermath after) {
        Counts counts = after.counts;
        // Neither a ping nor a batch of which all was withdrawn.
        if (flight.frames > 0) {
            counts.add(Counter.SENDS, 1);
            counts.add(Counter.SEND_NANOS, engine.nanoTime().getAsLong() - flight.since);
            counts.add(Counter.FRAMES_SENT, flight.frames);
            counts.add(Counter.BYTES_SENT, flight.bytes);
        }
    }

    @GuardedBy("lock")
    private void countTakenLocked(Batch batch, Counts counts) {
        counts.add(Counter.ENTRIES_FROM_WINDOW, batch.fromWindow);
        counts.add(Counter.ENTRIES_FROM_LOG, batch.fromLog);
        counts.add(Counter.FRAMES_MERGED, batch.merged);
        counts.add(Counter.SIGNALS_DROPPED, batch.dropped);
    }

    /** The bytes that it holds, as the budget knows them, for tests. */
    long bytes() {
        lock.lock();
        try {
            assert counted == heldBytesLocked() && countedSending == sendingBytesLocked()
                    : "bytes are counted where they live";
            return counted + countedSending;
        } finally {
            lock.unlock();
        }
    }

    /** Adds the large frames that its send in flight shares with others, for tests. */
    void collectLarge(Set<Frame> to) {
        lock.lock();
        try {
            if (inFlight != null) {
                to.addAll(inFlight.batch.large());
            }
        } finally {
            lock.unlock();
        }
    }

    /** How far its subscriptions lag, all together. */
    Stream.Lag lag() {
        long entries = 0;
        long bytes = 0;
        lock.lock();
        try {
            for (Subscription subscription : subscriptions) {
                Stream.Lag lag = subscription.lagOrNull();
                if (lag != null) {
                    entries += lag.entries();
                    bytes += lag.bytes();
                }
            }
        } finally {
            lock.unlock();
        }
        return new Stream.Lag(entries, bytes);
    }

    /** How many subscriptions there are, for tests. */
    int subscriptions() {
        lock.lock();
        try {
            return subscriptions.size();
        } finally {
            lock.unlock();
        }
    }

    Engine engine() {
        return engine;
    }

    /** Answers and openings; what subscriptions pull waits elsewhere. */
    @GuardedBy("lock")
    private long waitingBytesLocked() {
        return answers.bytes() + openings.bytes;
    }

    /**
     * Whether more waits than may. A single opening may be larger than the bound, since it has to be sent somehow, and counts
     * against nothing that waits beside it; a second one of that size may not.
     */
    @GuardedBy("lock")
    private boolean tooMuchLocked(long more) {
        return tooMuchLocked(more, 0);
    }

    /** @param opening how much of that is an opening that has not begun */
    @GuardedBy("lock")
    private boolean tooMuchLocked(long more, long opening) {
        long over = waitingBytesLocked() + more - engine.limits().outboxMaxBytes();
        // Asked for only when it matters: it looks at every subscription.
        return over > 0 && over > Math.max(opening, largestOpeningLocked());
    }

    @GuardedBy("lock")
    private long largestOpeningLocked() {
        long largest = 0;
        for (Subscription subscription : subscriptions) {
            largest = Math.max(largest, subscription.openingBytes());
        }
        return largest;
    }

    @GuardedBy("lock")
    private Flight takeOffLocked(Batch batch, Aftermath after) {
        Flight flight = new Flight(batch, engine.nanoTime().getAsLong());
        assert inFlight == null : "one send in flight";
        inFlight = flight;
        engine.budget().hold(batch.large());
        // Who is behind it in the line may find room, too.
        after.roomToGive |= batch.copyRoom() > 0;
        return flight;
    }

    /** Gives back what the send in flight holds. */
    @GuardedBy("lock")
    private void endFlightLocked(Aftermath after) {
        Flight flight = inFlight;
        if (flight != null) {
            inFlight = null;
            engine.budget().letGo(flight.batch.large());
            if (flight.batch.copyRoom() > 0) {
                engine.watch().copies().give(flight.batch.copyRoom());
                after.roomToGive = true;
            }
        }
    }

    @GuardedBy("lock")
    private void takeAnswersLocked(Batch batch) {
        if (answers.isEmpty()) {
            return;
        }
        batch.beginTurn(engine.limits().batchMaxBytes());
        for (Subscription withdrawn : answers.take(batch)) {
            readyLocked(withdrawn);
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
        subscriptions.remove(subscription);
        turns.remove(subscription);
        after.leaves(subscription);
        engine.watch().tally().add(Counter.SUBSCRIPTIONS, -1);
        countLocked();
    }

    @GuardedBy("lock")
    private void endAllLocked(Aftermath after) {
        for (Subscription subscription : List.copyOf(subscriptions)) {
            endLocked(subscription, after);
        }
        // No snapshot is sent any more.
        sent.forget();
        countLocked();
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
            engine.watch().tally().refused(Integer.toString(reason.code()));
        }
    }

    @GuardedBy("lock")
    private void goneLocked(Aftermath after) {
        if (state != State.GONE) {
            state = State.GONE;
            // First what others wait for, and what is counted: nothing behind it may keep that.
            endFlightLocked(after);
            if (called || inLine) {
                called = false;
                passOnLocked(after);
            }
            after.gone = true;
            answers.clear();
            countLocked();
            endAllLocked(after);
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
        final Batch batch;
        final long since;
        // Confined: under the outbox's lock.
        boolean slow;
        // Confined, both of them: the drain, until it hands them to the sink, which hands them on to the completion.
        int frames;
        long bytes;
        // Volatile: the thread that is in the call which sends, none before and after. No other thread finds itself
        // here, whenever it looks.
        volatile @Nullable Thread drainer;
        // Confined: the drainer. How it ended, if that was told within that call.
        @Nullable
        Boolean noted;

        Flight(Batch batch, long since) {
            this.batch = batch;
            this.since = since;
        }

        /** What really leaves. */
        void sends(List<Frame> all) {
            frames = all.size();
            for (Frame frame : all) {
                bytes += frame.size();
            }
        }

        /** Notes how it ended, if that is told within the call that sends; the first word counts. */
        boolean notes(boolean succeeded) {
            boolean within = drainer == Thread.currentThread();
            if (within && noted == null) {
                noted = succeeded;
            }
            return within;
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
        final Counts counts;
        // Confined, all of them: the method that made it.
        List<Subscription> leaving = List.of();
        boolean drain;
        boolean gone;
        boolean roomToGive;

        @Nullable
        Disconnect abort;

        Aftermath() {
            this(engine.watch().tally().atOnce());
        }

        /** @param counts where what is sent meanwhile is counted */
        Aftermath(Counts counts) {
            this.counts = counts;
        }

        void leaves(Subscription subscription) {
            if (leaving.isEmpty()) {
                leaving = new ArrayList<>();
            }
            leaving.add(subscription);
        }

        void run() {
            try {
                letGo();
            } finally {
                // Whatever happened: a drain that was promised must come.
                handOver();
            }
            if (roomToGive) {
                engine.watch().copies().callNext();
            }
            engine.watch().relief().run();
        }

        private void handOver() {
            if (drain && !engine.tasks().run(Outbox.this.drain)) {
                drainRefused();
            }
        }

        private void letGo() {
            Trouble trouble = engine.watch().trouble();
            // Each by itself: what fails must not keep the rest from being freed.
            for (Subscription subscription : leaving) {
                trouble.guarded(() -> subscription.detach(engine.streams()), "a subscription could not be taken out");
            }
            Disconnect reason = abort;
            if (reason != null) {
                trouble.guarded(() -> sink.abort(reason), "a sink could not abort");
            }
            if (gone) {
                engine.forget().accept(Outbox.this);
            }
        }
    }
}
