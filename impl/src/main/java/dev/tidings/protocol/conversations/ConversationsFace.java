package dev.tidings.protocol.conversations;

import dev.tidings.ApiKey;
import dev.tidings.ApiKeyScope;
import dev.tidings.StreamKey;
import dev.tidings.Versioned;
import dev.tidings.access.KeyAccess;
import dev.tidings.access.KeyPass;
import dev.tidings.delivery.Delivery;
import dev.tidings.delivery.Sink;
import dev.tidings.delivery.WatchedSink;
import dev.tidings.event.AgentDeleted;
import dev.tidings.event.EntriesStored;
import dev.tidings.event.SessionDeleted;
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
    private static final int MOST_LOOKED_FOR = 2_048;

    private final ConversationsPorts ports;
    private final ConversationsSettings settings;
    private final Around around;
    private final Presences presences = new Presences();
    private final FeedTape tape;
    private final FeedPump pump;
    private final Delivery delivery;
    private final Set<ConversationsSocket> open = ConcurrentHashMap.newKeySet();
    // Confined: whoever looks, one at a time. Agents that were not there at the last look.
    private Set<String> missingAgents = Set.of();

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
                presences,
                settings.delivery().windowMaxFrames(),
                settings.delivery().windowMaxBytes(),
                around.node()::keeps);
        delivery = around.node().beside(settings.delivery(), tape);
        pump = new FeedPump(
                ports.feed(),
                tape,
                new Happenings(ports.directory(), around.clock()),
                presences,
                around.workers(),
                delivery::stored,
                this::farewell);
    }

    // ---- what happens

    /** A domain event has committed, or was signalled. Never blocks. */
    public void happened(Object event) {
        if (!(event instanceof EntriesStored stored) || stored.stream().kind() == StreamKey.Kind.SESSION) {
            pump.happened(event);
        }
    }

    /** A session was deleted, by a transaction that has committed: nothing of it is shown any more. Never blocks. */
    public void deleted(SessionDeleted event) {
        left(Set.of(event.sessionId()));
    }

    /** Likewise all sessions of an agent. */
    public void deleted(AgentDeleted event) {
        left(event.sessionIds());
    }

    private void left(Set<String> conversations) {
        conversations.forEach(presences::leaveOrNull);
        open.stream().filter(socket -> socket.watches(conversations)).forEach(ConversationsSocket::conversationLeft);
    }

    /** It has been said that a conversation is gone: whoever watches just that one is told, and closed. */
    private void farewell(Numbered event) {
        Set<String> conversation = Set.of(event.conversationId());
        open.stream().filter(socket -> socket.watches(conversation)).forEach(socket -> socket.farewell(event));
    }

    // ---- what comes round

    /** Heartbeats, pings and watchdogs; call it about once a second. */
    public void tick() {
        delivery.tick();
        long now = around.nanoTime().getAsLong();
        open.forEach(socket -> socket.tick(now));
    }

    /**
     * Looks for what nobody told of in the conversations that are watched, for what other nodes have numbered, and for what they
     * have deleted. One at a time. Blocks.
     */
    public void look() {
        // First: whoever missed a hint must not depend on what comes of the rest.
        delivery.compareHeads();
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
        lookForDeleted(watched);
    }

    private void lookForDeleted(Set<String> watched) {
        Set<String> gone = new HashSet<>(presences.some(MOST_LOOKED_FOR));
        gone.addAll(watched);
        if (!gone.isEmpty()) {
            gone.removeAll(ports.feed().existing(gone));
        }
        for (String id : gone) {
            Presence conversation = presences.leaveOrNull(id);
            if (conversation != null) {
                left(Set.of(id));
                pump.happened(new SessionDeleted(id, conversation.agentId(), Set.of()));
            }
        }
        // At the second look: by then its conversations have been said to be gone.
        Set<String> missing = new HashSet<>();
        open.forEach(socket -> socket.agentId().ifPresent(missing::add));
        missing.removeIf(id -> ports.directory().agent(id).isPresent());
        for (ConversationsSocket socket : open) {
            socket.agentId()
                    .filter(missing::contains)
                    .filter(missingAgents::contains)
                    .ifPresent(id -> socket.agentLeft());
        }
        missingAgents = missing;
    }

    /** Looks for what nobody told of in all conversations, if this node is the one that does. Blocks. */
    public void sweep() {
        if (ports.feed().lead(settings.nodeId(), settings.lease())) {
            pump.sweep();
        }
        tape.tidy(watched());
        presences.tidy();
    }

    private Set<StreamKey> watched() {
        Set<StreamKey> keys = new HashSet<>();
        for (Wire wire : Wire.values()) {
            keys.addAll(delivery.watched(translator(wire), StreamKey.Kind.SESSION));
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

    int maxMessageBytes() {
        return settings.maxMessageBytes();
    }

    long heartbeatNanos() {
        return settings.delivery().heartbeatInterval().toNanos();
    }

    FeedTape tape() {
        return tape;
    }

    ConversationsTranslator translator(Wire wire) {
        return new ConversationsTranslator(wire, presences);
    }

    /** What a key sees of what was asked for; empty if there is no such thing for it, or no longer. Blocks. */
    Optional<View> view(ApiKey key, Optional<String> conversationId) {
        Optional<String> one = conversation(key, conversationId);
        if (one.isPresent()) {
            return ports.directory()
                    .session(one.get())
                    .map(Versioned::value)
                    .filter(session -> key.scope().includes(session.id(), session.agentId()))
                    .map(session -> {
                        // Whoever counts it for the view finds it, with its agent.
                        presences.of(session.id(), session.agentId());
                        return View.ofConversation(session.id());
                    });
        }
        View view = View.of(key.scope());
        boolean there = view.kind() != View.Kind.AGENT
                || ports.directory().agent(view.id()).isPresent();
        return there ? Optional.of(view) : Optional.empty();
    }

    /** The one conversation that is asked for, or that is all the key sees. */
    static Optional<String> conversation(ApiKey key, Optional<String> asked) {
        return asked.isEmpty() && key.scope() instanceof ApiKeyScope.OfSession only
                ? Optional.of(only.sessionId())
                : asked;
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

    ConversationsSocket open(Sink sink, Wire wire, ConversationsSocket.Asked asked, Admission.Seat seat) {
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
