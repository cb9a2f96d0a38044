package dev.tidings.protocol.conversations;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tidings.ApiKey;
import dev.tidings.ApiKeyScope;
import dev.tidings.Payload;
import dev.tidings.access.HeldPass;
import dev.tidings.access.KeyPass;
import dev.tidings.delivery.Disconnect;
import dev.tidings.delivery.Frame;
import dev.tidings.delivery.Outbox;
import dev.tidings.delivery.Subscription;
import dev.tidings.protocol.admission.Admission;
import dev.tidings.protocol.conversations.FeedTape.Start;
import dev.tidings.protocol.http.KeyPrincipal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One peer that watches: on a socket, or with a stream of server-sent events. It is admitted, and from then on only hears.
 *
 * <p>What asks the database runs on the executor. Threads: any. Source: protocols B.
 */
final class ConversationsSocket {
    private static final System.Logger LOG = System.getLogger(ConversationsSocket.class.getName());
    private static final String TOO_MANY_MESSAGES = "too_many_messages";

    /**
     * What a peer asked for when it connected.
     *
     * @param key by which it was let in; null if nobody knows of one
     * @param conversationId what it wants to watch; empty for all that the key sees
     * @param after up to which number it has seen everything; null if it said something that is no number
     */
    record Asked(
            @Nullable ApiKey key,
            Optional<String> conversationId,
            @Nullable OptionalLong after) {

        /** The one conversation that will be seen; empty if it is all that the key sees. */
        Optional<String> conversation() {
            return key == null ? conversationId : ConversationsFace.conversation(key, conversationId);
        }
    }

    private final ConversationsFace face;
    private final Wire wire;
    private final Asked asked;
    private final Outbox outbox;
    private final Admission.Seat seat;
    private final HeldPass pass = new HeldPass();
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private @Nullable Subscription subscription;

    // What it shows was deleted.
    @GuardedBy("lock")
    private boolean left;

    // Of the message that is coming in.
    @GuardedBy("lock")
    private long messageBytes;

    // Volatile: written by the round that ticks; read by nobody else.
    private volatile long lastHeartbeat;

    ConversationsSocket(ConversationsFace face, Wire wire, Asked asked, Outbox outbox, Admission.Seat seat, long now) {
        this.face = face;
        this.wire = wire;
        this.asked = asked;
        this.outbox = outbox;
        this.seat = seat;
        this.lastHeartbeat = now;
    }

    /** Begins the admission. */
    void begin() {
        if (!seat.admitted()) {
            disconnect(Disconnect.TOO_MANY_SOCKETS);
            return;
        }
        try {
            face.executor().execute(this::admit);
        } catch (RuntimeException | Error noThread) {
            // The server stops, or a pool is full; one that cannot start a thread says so with an error. Nobody
            // else would give the place back.
            disconnect(Disconnect.OVERLOADED);
        }
    }

    private void admit() {
        try {
            admitted().ifPresent(this::disconnect);
        } catch (RuntimeException | Error broken) {
            // Errors as well: who is not admitted would get heartbeats and nothing else, and never know.
            LOG.log(System.Logger.Level.WARNING, "[conversations] a peer could not be admitted");
            disconnect(Disconnect.OVERLOADED);
        }
    }

    /** Lets the peer in; why not, if not. */
    private Optional<Disconnect> admitted() {
        ApiKey key = asked.key();
        OptionalLong after = asked.after();
        if (key == null) {
            return Optional.of(Disconnect.UNAUTHORIZED);
        }
        if (after == null) {
            return Optional.of(Disconnect.BAD_REQUEST);
        }
        KeyPass entered = face.keys().enter(key).orElse(null);
        if (entered == null || !pass.keep(entered)) {
            return Optional.of(Disconnect.UNAUTHORIZED);
        }
        entered.whenEnded(() -> disconnect(Disconnect.UNAUTHORIZED));
        if (!seat.bind(seatOf(key))) {
            return Optional.of(Disconnect.TOO_MANY_SOCKETS);
        }
        Optional<View> view = face.view(key, asked.conversationId());
        if (view.isEmpty()) {
            return Optional.of(Disconnect.NOT_FOUND);
        }
        // Registered first: what is numbered from now on waits for it.
        Subscription subscription = outbox.subscribe(face.translator(wire).channel(view.get()), entered.gate());
        keep(subscription);
        Optional<Start> start = face.tape().start(view.get(), after, false);
        if (start.isPresent()) {
            start(subscription, start.get());
        } else {
            // Not waited for: whoever reads what other nodes have numbered needs a thread of the same executor.
            var unused = face.catchUp()
                    .thenRunAsync(
                            () -> start(
                                    subscription,
                                    face.tape().start(view.get(), after, true).orElseThrow()),
                            face.executor())
                    .exceptionally(trouble -> {
                        disconnect(Disconnect.OVERLOADED);
                        return null;
                    });
        }
        return Optional.empty();
    }

    private void start(Subscription subscription, Start start) {
        List<Frame> opening = new ArrayList<>();
        start.oldestSeq().ifPresent(seq -> opening.add(wire.frame(EventJson.truncated(seq), 0)));
        start.latestSeq().ifPresent(seq -> opening.add(wire.frame(EventJson.reset(seq), 0)));
        subscription.start(start.position(), opening, Map.of());
    }

    /** Takes a subscription, to be given up when what it shows is deleted, as that may be by now. */
    private void keep(Subscription made) {
        boolean late;
        lock.lock();
        try {
            subscription = made;
            late = left;
        } finally {
            lock.unlock();
        }
        if (late) {
            made.cancel();
        }
    }

    /** Whether all that it shows is one of these conversations. */
    boolean watches(Set<String> conversations) {
        return asked.conversation().filter(conversations::contains).isPresent();
    }

    /** The agent whose part it shows, if it is one's. */
    Optional<String> agentId() {
        ApiKey key = asked.key();
        return key != null && asked.conversationId().isEmpty() && key.scope() instanceof ApiKeyScope.OfAgent of
                ? Optional.of(of.agentId())
                : Optional.empty();
    }

    /** Its conversation was deleted: from now on it shows nothing, until it is told. Never blocks. */
    void conversationLeft() {
        Subscription given;
        lock.lock();
        try {
            left = true;
            given = subscription;
        } finally {
            lock.unlock();
        }
        if (given != null) {
            given.cancel();
        }
    }

    /** Tells that its conversation was deleted, as the last thing. */
    void farewell(Numbered event) {
        conversationLeft();
        KeyPass held = pass.passOrNull();
        Payload said = event.event();
        if (held != null && said != null) {
            outbox.answer(wire.frame(said.text(), event.seq()), List.of(held.gate()), wire.heartbeat());
        }
        // The pass is kept until the socket is closed: whoever is no longer let in is not told even that.
        outbox.disconnect(Disconnect.NOT_FOUND);
    }

    /** The agent whose part it shows was deleted. */
    void agentLeft() {
        disconnect(Disconnect.NOT_FOUND);
    }

    /** Sends a heartbeat if one is due; call it about once a second. */
    void tick(long now) {
        if (now - lastHeartbeat >= face.heartbeatNanos()) {
            lastHeartbeat = now;
            outbox.answer(wire.heartbeat());
        }
    }

    /** In whose name a key's sockets are counted, in all protocols together. */
    static String seatOf(ApiKey key) {
        return new KeyPrincipal(key).getName();
    }

    /**
     * A part of a message came in: a sign of life, and nothing else. Floods end as they do everywhere.
     *
     * @param bytes how many, in UTF-8
     * @param last whether the message ends with it
     */
    void received(long bytes, boolean last) {
        outbox.heard();
        boolean tooBig;
        lock.lock();
        try {
            messageBytes += bytes;
            tooBig = messageBytes > face.maxMessageBytes();
            messageBytes = last ? 0 : messageBytes;
        } finally {
            lock.unlock();
        }
        if (tooBig) {
            disconnect(Disconnect.TOO_BIG);
        } else if (last) {
            message();
        }
    }

    private void message() {
        Admission.Verdict verdict = seat.message(true);
        if (verdict == Admission.Verdict.ABUSE) {
            disconnect(Disconnect.ABUSE);
        } else if (verdict == Admission.Verdict.TOO_FAST) {
            face.refused(TOO_MANY_MESSAGES);
        }
    }

    /** The peer is alive: it took something. */
    void heard() {
        outbox.heard();
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
        ended();
        outbox.closed();
    }

    /** The engine closes the connection. */
    void ended() {
        pass.close();
        seat.leave();
    }

    private void disconnect(Disconnect reason) {
        ended();
        outbox.disconnect(reason);
    }
}
