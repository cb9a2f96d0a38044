package dev.tidings.protocol.conversations;

import dev.tidings.AgentInfo;
import dev.tidings.ApiKey;
import dev.tidings.ApiKeyScope;
import dev.tidings.EntryKind;
import dev.tidings.NewEntry;
import dev.tidings.Payload;
import dev.tidings.RunInfo;
import dev.tidings.RunStatus;
import dev.tidings.SessionInfo;
import dev.tidings.StreamKey;
import dev.tidings.access.KeyAccess;
import dev.tidings.delivery.Delivery;
import dev.tidings.delivery.DeliveryLimits;
import dev.tidings.event.AgentDeleted;
import dev.tidings.event.ApiKeyRevoked;
import dev.tidings.event.SessionDeleted;
import dev.tidings.event.Signal;
import dev.tidings.protocol.admission.Admission;
import dev.tidings.protocol.admission.AdmissionLimits;
import dev.tidings.spi.ApiKeys;
import dev.tidings.spi.Directory;
import dev.tidings.spi.Feed;
import dev.tidings.testkit.InMemoryTidings;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A face over ports in memory, on one thread: {@link #settle} does everything that is due. */
final class ConversationsWorld {
    static final int MOST_MESSAGE_BYTES = 100;

    final InMemoryTidings tidings;
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final AtomicLong nanos = new AtomicLong();
    private final Feed feed;
    final KeyAccess keys;
    final Delivery node;
    final ConversationsFace face;
    // Confined: the test. The pool cannot start a thread.
    boolean noThread;
    // Confined: the test. Nothing that happens is told here: it happens on another node.
    boolean deaf;
    // Confined, both of them: the test. The database is away.
    boolean keysAway;
    boolean directoryAway;
    // Confined: the test. How often the directory was asked for an agent.
    int agentsAsked;

    ConversationsWorld() {
        this(new InMemoryTidings(), 2_000, null);
    }

    /** A process over a store, perhaps one that others have used; {@code over} may stand between it and the feed. */
    ConversationsWorld(InMemoryTidings tidings, int window, @Nullable Feed over) {
        this(tidings, window, over, AdmissionLimits.DEFAULTS);
    }

    /** A process that admits only so much. */
    ConversationsWorld(AdmissionLimits limits) {
        this(new InMemoryTidings(), 2_000, null, limits);
    }

    private ConversationsWorld(InMemoryTidings tidings, int window, @Nullable Feed over, AdmissionLimits admits) {
        this.tidings = tidings;
        this.feed = over == null ? tidings.feed() : over;
        keys = new KeyAccess(over(ApiKeys.class, tidings.apiKeys(), name -> away(keysAway)), Optional.empty());
        DeliveryLimits standard = DeliveryLimits.DEFAULTS;
        DeliveryLimits limits = new DeliveryLimits(
                standard.outboxMaxBytes(),
                standard.batchMaxBytes(),
                window,
                standard.windowMaxBytes(),
                Duration.ZERO,
                standard.replayMaxReads(),
                standard.pageMaxEntries(),
                standard.pageMaxBytes(),
                standard.readRetry(),
                standard.sendTimeout(),
                standard.heartbeatInterval(),
                standard.heartbeatTimeout(),
                standard.maxBytes());
        node = new Delivery(limits, tidings.log(), tasks::add, nanos::get);
        Admission admission = new Admission(admits, nanos::get);
        face = new ConversationsFace(
                new ConversationsPorts(feed, directory(), keys),
                new ConversationsSettings(limits, "node", Duration.ofSeconds(30), MOST_MESSAGE_BYTES),
                new ConversationsFace.Around(
                        node,
                        admission,
                        this::work,
                        () -> java.time.Instant.ofEpochMilli(7_000),
                        nanos::get,
                        session -> {
                            throw new IllegalStateException("no container here");
                        }));
        tidings.listen(event -> {
            if (event instanceof ApiKeyRevoked revoked) {
                keys.revoked(revoked);
            } else if (!deaf && event instanceof SessionDeleted deleted) {
                face.deleted(deleted);
            } else if (!deaf && event instanceof AgentDeleted deleted) {
                face.deleted(deleted);
            }
            if (!deaf) {
                face.happened(event);
            }
        });
    }

    private Directory directory() {
        return over(Directory.class, tidings.directory(), name -> {
            away(directoryAway);
            agentsAsked += name.equals("agent") ? 1 : 0;
        });
    }

    private static void away(boolean away) {
        if (away) {
            throw new IllegalStateException("the database is away");
        }
    }

    /** A port over another one; told of the name of what is asked. */
    private static <T> T over(Class<T> port, T real, Consumer<String> asked) {
        return port.cast(Proxy.newProxyInstance(
                port.getClassLoader(), new Class<?>[] {port}, (self, method, arguments) -> {
                    asked.accept(method.getName());
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException failed) {
                        throw failed.getCause();
                    }
                }));
    }

    private void work(Runnable task) {
        if (noThread) {
            throw new InternalError("no thread");
        }
        tasks.add(task);
    }

    /** Does what is due, and what becomes due by it. */
    void settle() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
        face.tick();
        settle();
    }

    ApiKey key(ApiKeyScope scope) {
        ApiKey key = new ApiKey("key-" + UUID.randomUUID(), "test", scope, 1);
        tidings.transactions().run(() -> tidings.apiKeysWriter().create(key, new byte[32]));
        return key;
    }

    ApiKey key() {
        return key(new ApiKeyScope.All());
    }

    String agent(String id) {
        tidings.transactions()
                .run(() -> tidings.directoryWriter()
                        .create(new AgentInfo(
                                id, "owner", Payload.of("{}"), null, AgentInfo.AgentStatus.IDLE, 1, 1, false)));
        return id;
    }

    /** A run of agent a, as it is stored. */
    static RunInfo run(String id, @Nullable String parent, String session, RunStatus status) {
        RunInfo.Lineage lineage = parent == null ? RunInfo.Lineage.ROOT : new RunInfo.Lineage(parent, "call", 1, 0);
        return new RunInfo(
                id,
                "owner",
                parent == null ? id : parent,
                lineage,
                "agent",
                "a",
                session,
                "user",
                "title",
                status,
                null,
                null,
                1,
                null,
                null,
                1);
    }

    /** A conversation of a run that one in another conversation has started. */
    String child(String id, String parent, String agentId) {
        SessionInfo idle = SessionInfo.idle(id, "owner", agentId, "title", 1);
        tidings.transactions()
                .run(() -> tidings.directoryWriter()
                        .create(new SessionInfo(
                                id,
                                idle.account(),
                                agentId,
                                idle.title(),
                                idle.status(),
                                1,
                                1,
                                null,
                                parent,
                                null,
                                null,
                                0,
                                null,
                                null)));
        settle();
        return id;
    }

    void deleteSession(String id) {
        tidings.transactions().run(() -> tidings.directoryWriter().deleteSession(id));
    }

    void deleteAgent(String id) {
        tidings.transactions().run(() -> tidings.directoryWriter().deleteAgent(id));
    }

    String session(String id, String agentId) {
        tidings.transactions()
                .run(() -> tidings.directoryWriter().create(SessionInfo.idle(id, "owner", agentId, "title", 1)));
        settle();
        return id;
    }

    void message(String session, String text) {
        append(session, EntryKind.EVENT, "{\"type\":\"message\",\"role\":\"user\",\"content\":\"" + text + "\"}");
    }

    void append(String session, EntryKind kind, String json) {
        tidings.transactions()
                .run(() -> tidings.writer()
                        .append(
                                StreamKey.session(session),
                                new NewEntry(
                                        "e-" + UUID.randomUUID(),
                                        kind,
                                        kind == EntryKind.EVENT,
                                        Payload.of(json),
                                        null,
                                        5)));
    }

    void delta(String session, String partial, String text) {
        face.happened(Signal.Partial.text(session, partial, text));
    }

    /** Somebody connects; {@code after} below 0: without a number. */
    Watching watch(ApiKey key, @Nullable String conversation, long after) {
        Watching watching = new Watching();
        open(watching, key, conversation, after, null);
        return watching;
    }

    /** The same from an address. */
    ConversationsSocket open(
            Watching watching, ApiKey key, @Nullable String conversation, long after, @Nullable String address) {
        ConversationsSocket socket = face.open(
                watching,
                Wire.SOCKET,
                new ConversationsSocket.Asked(
                        key,
                        Optional.ofNullable(conversation),
                        after < 0 ? OptionalLong.empty() : OptionalLong.of(after)),
                face.enter(address));
        settle();
        return socket;
    }
}
