package dev.tidings.protocol.conversations;

import dev.tidings.ApiKey;
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
            @Nullable OptionalLong after) {}

    private final ConversationsFace face;
    private final ConversationsTranslator wire;
    private final Asked asked;
    private final Outbox outbox;
    private final Admission.Seat seat;
    private final HeldPass pass = new HeldPass();

    // Volatile: written by the round that ticks; read by nobody else.
    private volatile long lastHeartbeat;

    ConversationsSocket(
            ConversationsFace face,
            ConversationsTranslator wire,
            Asked asked,
            Outbox outbox,
            Admission.Seat seat,
            long now) {
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
            // The server stops, or a pool is full; one that cannot start a thread says so with an error. Nobody else
            // would
            // give the place back.
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
        Subscription subscription = outbox.subscribe(wire.channel(view.get()), entered.gate());
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

    /** Something came in: a sign of life, and nothing else. Floods end as they do everywhere. */
    void received() {
        outbox.heard();
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
