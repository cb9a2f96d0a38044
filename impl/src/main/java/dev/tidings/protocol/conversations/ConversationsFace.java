package dev.tidings.protocol.conversations;

import dev.tidings.ApiKey;
import dev.tidings.StreamKey;
import dev.tidings.access.KeyAccess;
import dev.tidings.access.KeyPass;
import dev.tidings.delivery.Delivery;
import dev.tidings.delivery.Sink;
import dev.tidings.delivery.WatchedSink;
import dev.tidings.event.EntriesStored;
import dev.tidings.protocol.admission.Admission;
import jakarta.websocket.Session;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Everything that the peers of this protocol share: the feed in the engine, and who watches it.
 *
 * <p>Made once by whoever wires the parts together; endpoints and servlets get it injected.
 *
 * <p>Threads: any.
 */
public final class ConversationsFace {
    private final ConversationsPorts ports;
    private final ConversationsSettings settings;
    private final Around around;
    private final FeedTape tape;
    private final FeedPump pump;
    private final Delivery delivery;
    private final Set<ConversationsSocket> open = ConcurrentHashMap.newKeySet();

    /**
     * What the face lives on.
     *
     * @param node the engine of the other protocols: this one's stands beside it
     * @param admission who may come in, and how much may be asked, for all protocols together
     * @param workers runs what may block; must not run tasks on the caller's thread
     * @param clock stamps what is not stored
     * @param nanoTime never goes back
     * @param sinks makes the writer of a socket
     */
    public record Around(
            Delivery node,
            Admission admission,
            Executor workers,
            InstantSource clock,
            LongSupplier nanoTime,
            Function<Session, Sink> sinks) {}

    /** A face that shows nothing yet. */
    public ConversationsFace(ConversationsPorts ports, ConversationsSettings settings, Around around) {
        this.ports = ports;
        this.settings = settings;
        this.around = around;
        tape = new FeedTape(
                ports.feed(),
                settings.delivery().windowMaxFrames(),
                settings.delivery().windowMaxBytes(),
                around.node()::keeps);
        delivery = around.node().beside(settings.delivery(), tape);
        pump = new FeedPump(
                ports.feed(),
                tape,
                new Happenings(ports.directory(), around.clock()),
                around.workers(),
                delivery::stored);
    }

    // ---- what happens

    /** A domain event has committed, or was signalled. Never blocks. */
    public void happened(Object event) {
        if (!(event instanceof EntriesStored stored) || stored.stream().kind() == StreamKey.Kind.SESSION) {
            pump.happened(event);
        }
    }

    // ---- what comes round

    /** Heartbeats, pings and watchdogs; call it about once a second. */
    public void tick() {
        delivery.tick();
        long now = around.nanoTime().getAsLong();
        open.forEach(socket -> socket.tick(now));
    }

    /** Looks for what nobody told of in the conversations that are watched, and for what other nodes have numbered. Blocks. */
    public void look() {
        Set<String> watched = new HashSet<>();
        for (StreamKey key : watched()) {
            View view = View.of(key);
            if (view.kind() == View.Kind.CONVERSATION) {
                watched.add(view.id());
            }
        }
        if (!watched.isEmpty()) {
            pump.behind(ports.feed().behind(watched));
        }
        pump.look();
        delivery.compareHeads();
    }

    /** Looks for what nobody told of in all conversations, if this node is the one that does. Blocks. */
    public void sweep() {
        if (ports.feed().lead(settings.nodeId(), settings.lease())) {
            pump.sweep();
        }
        tape.tidy(watched());
    }

    private Set<StreamKey> watched() {
        Set<StreamKey> keys = new HashSet<>();
        for (ConversationsTranslator wire : ConversationsTranslator.values()) {
            keys.addAll(delivery.watched(wire, StreamKey.Kind.SESSION));
        }
        return keys;
    }

    /** Begins to stop; for each peer what tells it to go away. */
    public List<Runnable> drain(Random random) {
        return delivery.drain(random);
    }

    /** The peers that watch. */
    public int openSockets() {
        return open.size();
    }

    // ---- for peers

    KeyAccess keys() {
        return ports.keys();
    }

    Executor executor() {
        return around.workers();
    }

    long heartbeatNanos() {
        return settings.delivery().heartbeatInterval().toNanos();
    }

    FeedTape tape() {
        return tape;
    }

    /** What a key sees of what was asked for; empty if there is no such thing for it. Blocks. */
    Optional<View> view(ApiKey key, Optional<String> conversationId) {
        if (conversationId.isEmpty()) {
            return Optional.of(View.of(key.scope()));
        }
        return ports.directory()
                .session(conversationId.get())
                .filter(session -> key.scope()
                        .includes(session.value().id(), session.value().agentId()))
                .map(session -> View.ofConversation(session.value().id()));
    }

    /** Reads what other nodes have numbered. */
    CompletableFuture<Boolean> catchUp() {
        return pump.catchUp();
    }

    /** A pass for one request; empty if the key has been revoked. */
    Optional<KeyPass> enter(ApiKey key) {
        return ports.keys().enter(key);
    }

    Sink sink(Session session) {
        return around.sinks().apply(session);
    }

    /**
     * A place for a peer, or for the time of a request.
     *
     * @param address where it is, if the container tells it
     */
    Admission.Seat enter(@Nullable String address) {
        return around.admission().enter(address);
    }

    /** Something was refused with that code. */
    void refused(String code) {
        delivery.tally().refused(code);
    }

    ConversationsSocket open(
            Sink sink, ConversationsTranslator wire, ConversationsSocket.Asked asked, Admission.Seat seat) {
        WatchedSink watched = new WatchedSink(sink);
        ConversationsSocket socket = new ConversationsSocket(
                this,
                wire,
                asked,
                delivery.open(watched),
                seat,
                around.nanoTime().getAsLong());
        open.add(socket);
        watched.opened(() -> letGo(socket));
        socket.begin();
        return socket;
    }

    void closed(ConversationsSocket socket) {
        open.remove(socket);
        socket.closed();
    }

    private void letGo(ConversationsSocket socket) {
        open.remove(socket);
        socket.ended();
    }
}
