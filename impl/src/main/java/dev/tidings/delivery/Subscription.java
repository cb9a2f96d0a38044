package dev.tidings.delivery;

import dev.tidings.StreamKey;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A cursor over one channel, for one socket.
 *
 * <p>It is registered when it is made and sends nothing until {@link #start}: what is stored or published in between
 * waits in the window, so the caller reads the head and the snapshots it needs <em>after</em> registering and misses
 * nothing.
 *
 * <p>Threads: any; {@link #start} once.
 */
public final class Subscription {

    /** How far a subscription is. */
    enum State {
        /** Registered; it sends nothing yet. */
        REGISTERED,
        /** It sends. */
        STARTED,
        /** Cancelled, replaced, or its socket is gone; it sends nothing more. */
        OVER
    }

    /** What the subscriptions of one socket share, under its outbox's lock. */
    record OfSocket(SentSnapshots sent, Openings openings) {}

    /** The bytes of all openings of an outbox, also of what waits behind them. */
    static final class Openings {
        // Confined: under the outbox's lock.
        long bytes;
    }

    private final Outbox outbox;
    private final Channel channel;
    private final Gate gate;
    private final String view;
    private final Bookmark bookmark;

    // Volatile: written once, under the outbox's lock, and read by whoever takes the subscription out of its stream.
    private volatile @Nullable Stream stream;

    // Confined, all of them: under the outbox's lock.
    private State state = State.REGISTERED;
    private boolean queued;
    private boolean awaitingPage;
    private @Nullable Subscription behind;
    private long readUntil = -1;
    // Null while nothing of it waits, which is nearly always.
    private @Nullable Deque<Frame> opening;
    private int openingBytes;
    // Confined: under the lock of its stream.
    private int placeInStream;
    // Confined: under the lock of its gate.
    private int placeAtGate;
    private final Openings openings;

    Subscription(Outbox outbox, Channel channel, Gate gate, String view, OfSocket socket) {
        this.outbox = outbox;
        this.channel = channel;
        this.gate = gate;
        this.view = view;
        this.openings = socket.openings();
        this.bookmark = new Bookmark(gate, view, socket);
    }

    /**
     * Sends the opening, then every entry behind the cursor, then what comes.
     *
     * @param afterPosition the cursor: the position of the last entry that the peer has
     * @param opening the first frames, in order
     * @param seen snapshot keys that the opening shows, with their versions; nothing as old or older is sent for them
     * @throws IllegalStateException if it has been started before
     */
    public void start(long afterPosition, List<Frame> opening, Map<String, Long> seen) {
        start(afterPosition, opening, seen, Map.of());
    }

    /**
     * The same, for an opening that also shows the text so far of partials in progress.
     *
     * @param seenText partials whose text the opening shows, with the offset up to which it does; of their pieces only
     *     what goes beyond it is sent
     * @throws IllegalStateException if it has been started before
     */
    public void start(long afterPosition, List<Frame> opening, Map<String, Long> seen, Map<String, Long> seenText) {
        start(new Opening(afterPosition, opening, seen, afterPosition, 0, List.of(), seenText));
    }

    /**
     * Begins in that way.
     *
     * @throws IllegalStateException if it has been started before
     */
    public void start(Opening opening) {
        outbox.start(this, opening, true);
    }

    /**
     * The same, unless the socket was sent something newer than what the opening shows, by another subscription: then
     * nothing happens, and the caller reads again what is to be shown.
     *
     * @return whether it has begun, or is over
     * @throws IllegalStateException if it has been started before
     */
    public boolean startUnlessOutdated(Opening opening) {
        return outbox.start(this, opening, false);
    }

    /**
     * Answers the request for it: in the order of the outbox's answers, and only while its gate is open. An answer whose
     * turn comes while the gate is closed is withdrawn, and waits with the subscription until it opens (law 6).
     */
    public void answer(Frame frame) {
        outbox.answer(frame, this);
    }

    /** Takes the subscription away; nothing of it is sent any more. */
    public void cancel() {
        outbox.cancel(this);
    }

    Channel channel() {
        return channel;
    }

    /** What it shows: the same object for all who watch it at the time, so that whoever keeps it takes no memory. */
    public StreamKey key() {
        return channel.key();
    }

    int place(Roll.Of of) {
        return of == Roll.Of.STREAM ? placeInStream : placeAtGate;
    }

    void place(Roll.Of of, int place) {
        if (of == Roll.Of.STREAM) {
            placeInStream = place;
        } else {
            placeAtGate = place;
        }
    }

    String view() {
        return view;
    }

    /** There may be more to send. */
    void wake() {
        outbox.wake(this);
    }

    /** The same for one of many: where a send holds nobody up, a batch is sent at once. */
    void wakeAndSend(Counts counts) {
        outbox.wakeAndSend(this, counts);
    }

    // ---- under the outbox's lock

    State state() {
        return state;
    }

    boolean gateOpen() {
        return gate.isOpen();
    }

    long cursor() {
        return bookmark.cursor();
    }

    void attached(Streams.Seat seat) {
        stream = seat.stream();
        bookmark.registered(seat.nextIndex(), seat.nextSignal());
    }

    void started(Opening begin) {
        if (state != State.REGISTERED) {
            throw new IllegalStateException("a subscription that is " + state + " cannot start");
        }
        state = State.STARTED;
        bookmark.begin(begin);
        for (Frame frame : begin.frames()) {
            waiting().addLast(frame);
            waits(frame.size());
        }
    }

    private Deque<Frame> waiting() {
        Deque<Frame> known = opening;
        if (known == null) {
            known = new ArrayDeque<>(1);
            opening = known;
        }
        return known;
    }

    void over() {
        state = State.OVER;
        queued = false;
        awaitingPage = false;
        opening = null;
        waits(-openingBytes);
        bookmark.end();
    }

    /** Whether a part of its opening is still to be sent. */
    boolean opens() {
        return opening != null;
    }

    /** A ticket for the page behind its cursor. */
    @Nullable
    PageTicket ticket() {
        Stream attached = stream;
        return attached == null ? null : new PageTicket(outbox, this, attached, outbox.engine(), cursor() == readUntil);
    }

    /** Its answer was not sent, since the gate is closed. */
    void withdrawn(Frame answer) {
        if (state != State.OVER) {
            waiting().addFirst(answer);
            waits(answer.size());
        }
    }

    /** Nothing, if it has no place in a stream yet. */
    Stream.@Nullable Lag lagOrNull() {
        Stream attached = stream;
        return attached == null || state != State.STARTED ? null : attached.lag(bookmark);
    }

    private void waits(int more) {
        openingBytes += more;
        openings.bytes += more;
    }

    int openingBytes() {
        return openingBytes + bookmark.behindBytes();
    }

    /** Whether it is in line to send; a woken one that waits for its page is not put in line. */
    boolean queue() {
        boolean fresh = state == State.STARTED && !queued && !awaitingPage;
        queued |= fresh;
        return fresh;
    }

    /** Who is behind it in the line that it stands in. */
    @Nullable
    Subscription behindOrNull() {
        return behind;
    }

    void inFrontOf(@Nullable Subscription next) {
        behind = next;
    }

    void unqueued() {
        queued = false;
    }

    void awaitPage(boolean awaits) {
        awaitingPage = awaits;
    }

    /** Takes what it has to send, as far as the batch has room; {@code ticket} is its page, if it has one. */
    Pull pull(Batch batch, @Nullable PageTicket ticket) {
        Pull begun = open(batch);
        if (begun != Pull.DRY) {
            return begun;
        }
        if (ticket != null) {
            Pull pull = ticket.take(bookmark, batch);
            readUntil = bookmark.cursor();
            if (pull != Pull.DRY) {
                return pull;
            }
        }
        Stream attached = stream;
        return attached == null ? Pull.DRY : attached.pull(bookmark, batch);
    }

    /** Takes its opening, as far as the batch has room. */
    Pull open(Batch batch) {
        Deque<Frame> waiting = opening;
        while (waiting != null && !waiting.isEmpty()) {
            if (!gate.isOpen()) {
                return Pull.GATED;
            }
            Frame frame = waiting.getFirst();
            Batch.Offer offer = batch.offerOwn(frame);
            if (offer != Batch.Offer.TAKEN) {
                return Pull.after(offer);
            }
            waiting.removeFirst();
            waits(-frame.size());
        }
        opening = null;
        bookmark.opened();
        return Pull.DRY;
    }

    // ---- under no lock

    /** The stream's state, for people. */
    @Override
    public String toString() {
        return "Subscription[" + channel.key() + ", " + state + queued + awaitingPage + bookmark + stream + "]";
    }

    /** Takes it out of the stream and from behind the gate. */
    void detach(Streams streams) {
        gate.remove(this);
        Stream attached = stream;
        if (attached != null) {
            streams.detach(attached, this);
        }
    }

    void attach(Streams streams) {
        gate.add(this);
        outbox.attached(this, streams.attach(channel, this));
    }
}
