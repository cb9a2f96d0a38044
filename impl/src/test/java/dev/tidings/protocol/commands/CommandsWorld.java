package dev.tidings.protocol.commands;

import dev.tidings.AgentInfo;
import dev.tidings.ApiKey;
import dev.tidings.ApiKeyScope;
import dev.tidings.ApiKeySecret;
import dev.tidings.Approval;
import dev.tidings.EntryKind;
import dev.tidings.NewEntry;
import dev.tidings.Payload;
import dev.tidings.SessionInfo;
import dev.tidings.StreamKey;
import dev.tidings.access.Access;
import dev.tidings.access.KeyAccess;
import dev.tidings.delivery.Delivery;
import dev.tidings.delivery.DeliveryLimits;
import dev.tidings.delivery.Disconnect;
import dev.tidings.delivery.Frame;
import dev.tidings.delivery.Sink;
import dev.tidings.event.AgentDeleted;
import dev.tidings.event.ApiKeyRevoked;
import dev.tidings.event.EntriesStored;
import dev.tidings.event.GrantChanged;
import dev.tidings.event.SessionDeleted;
import dev.tidings.protocol.admission.Admission;
import dev.tidings.protocol.admission.AdmissionLimits;
import dev.tidings.protocol.http.Auth;
import dev.tidings.protocol.http.HttpExchanges;
import dev.tidings.protocol.http.HttpLimits;
import dev.tidings.runs.ApprovalResult;
import dev.tidings.runs.Runs;
import dev.tidings.runs.TestDeadlines;
import dev.tidings.runs.TurnResult;
import dev.tidings.runs.UserMessage;
import dev.tidings.spi.ApiKeys;
import dev.tidings.spi.Directory;
import dev.tidings.spi.Transactions;
import dev.tidings.testkit.InMemoryTidings;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The face over the ports in memory; whatever is done later is done when the test says so. Threads: one. */
final class CommandsWorld {
    static final String AGENT = "a";
    static final String SESSION = "s";
    static final int MAX_TRANSCRIPTS = 2;
    static final int MAX_PENDING = 8;
    static final int MAX_PENDING_BYTES = 64 << 10;
    /** A part of what a port throws; nobody may see it. */
    static final String SECRET_OF_THE_PORT = "jdbc:secret";

    final InMemoryTidings tidings = new InMemoryTidings();
    final Deque<Runnable> tasks = new ArrayDeque<>();
    final HandRuns runs = new HandRuns();
    boolean keysBroken;
    boolean memoryShort;
    final KeyAccess keys = new KeyAccess(new FaultyKeys(), Optional.empty());
    private final Access access = new Access(tidings.grants(), tidings.signers());
    private final Delivery delivery =
            new Delivery(DeliveryLimits.DEFAULTS, tidings.log(), tasks::add, System::nanoTime);
    final HttpExchanges exchanges = new HttpExchanges(
            new HttpLimits(1 << 20, 1 << 20, 4, MAX_TRANSCRIPTS, Duration.ofMinutes(1), Duration.ofMinutes(1)),
            tasks::add,
            tasks::add,
            TestDeadlines.shared());
    final CommandsSettings settings;
    final CommandsFace face;
    private int entries;
    // Whether it hears nothing of what others change, as if they did it on another node.
    boolean deaf;
    // Done once, when the directory has been read.
    Runnable behindARead = () -> {};

    CommandsWorld(Auth auth, Turns turns) {
        settings = new CommandsSettings(auth, AGENT, turns, Duration.ofHours(1), MAX_PENDING, MAX_PENDING_BYTES);
        face = new CommandsFace(
                ports(tidings.transactions()),
                new Admission(new AdmissionLimits(1_000, 1_000, 1_000_000, 1_000_000), () -> 0),
                settings,
                tasks::add,
                exchanges,
                InstantSource.system(),
                session -> {
                    throw new AssertionError("no container here");
                });
        tidings.listen(this::committed);
        tidings.transactions().run(() -> {
            for (String agent : List.of(AGENT, "b")) {
                tidings.directoryWriter()
                        .create(new AgentInfo(
                                agent, "owner", Payload.of("{}"), null, AgentInfo.AgentStatus.IDLE, 1, 1, false));
                tidings.directoryWriter()
                        .create(SessionInfo.idle(agent.equals(AGENT) ? SESSION : "other", "owner", agent, null, 1));
            }
        });
    }

    /** What the face asks and tells, with these transactions. */
    CommandsPorts ports(Transactions transactions) {
        return new CommandsPorts(
                delivery,
                runs,
                access,
                Optional.of(keys),
                directory(),
                tidings.directoryWriter(),
                tidings.log(),
                tidings.receipts(),
                transactions);
    }

    private Directory directory() {
        return (Directory) Proxy.newProxyInstance(
                Directory.class.getClassLoader(), new Class<?>[] {Directory.class}, (self, method, arguments) -> {
                    try {
                        Object read = method.invoke(tidings.directory(), arguments);
                        Runnable act = behindARead;
                        behindARead = () -> {};
                        act.run();
                        return read;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private void committed(Object event) {
        if (deaf && !(event instanceof EntriesStored)) {
            return;
        }
        if (event instanceof ApiKeyRevoked revoked) {
            keys.revoked(revoked);
        } else if (event instanceof GrantChanged changed) {
            access.changed(changed);
        } else if (event instanceof SessionDeleted deleted) {
            face.deleted(deleted);
        } else if (event instanceof AgentDeleted deleted) {
            face.deleted(deleted);
        } else if (event instanceof EntriesStored stored) {
            delivery.stored(stored);
        }
    }

    private final class FaultyKeys implements ApiKeys {
        @Override
        public Optional<Stored> find(String keyId) {
            return tidings.apiKeys().find(keyId);
        }

        @Override
        public Set<String> valid(Collection<String> keyIds) {
            if (memoryShort) {
                throw new OutOfMemoryError("as the test wants");
            }
            if (keysBroken) {
                throw new IllegalStateException("the database is away");
            }
            return tidings.apiKeys().valid(keyIds);
        }

        @Override
        public List<ApiKey> list() {
            return tidings.apiKeys().list();
        }
    }

    /** Does what waits, and what comes of it. */
    void run() {
        while (!tasks.isEmpty()) {
            tasks.poll().run();
        }
    }

    ApiKey newKey(ApiKeyScope scope) {
        ApiKeySecret secret = ApiKeySecret.random();
        ApiKey key = new ApiKey(secret.id(), "", scope, 1);
        tidings.transactions().run(() -> tidings.apiKeysWriter().create(key, secret.sha256()));
        return key;
    }

    void store(String text) {
        tidings.transactions()
                .run(() -> tidings.writer()
                        .append(
                                StreamKey.session(SESSION),
                                new NewEntry(
                                        "e" + ++entries,
                                        EntryKind.EVENT,
                                        true,
                                        Payload.of("{\"text\":\"" + text + "\"}"),
                                        null,
                                        1)));
    }

    /** A peer. */
    final class Peer implements Sink {
        final List<String> frames = new ArrayList<>();
        final List<Integer> closes = new ArrayList<>();
        final CommandsSocket socket;

        Peer(Optional<Caller> caller, String sessionId, long cursor) {
            socket = face.open(this, new CommandsSocket.Asked(caller, sessionId, cursor), null);
        }

        /** The cursors of the events that came. */
        List<Integer> cursors() {
            List<Integer> cursors = new ArrayList<>();
            for (String frame : frames) {
                Payload cursor = Payload.of(frame).members(Set.of("cursor")).get("cursor");
                if (cursor != null) {
                    cursors.add(Integer.valueOf(cursor.text()));
                }
            }
            return cursors;
        }

        /** The codes of the errors that came. */
        List<String> errors() {
            return frames.stream()
                    .map(frame -> Payload.of(frame).textMembers(Set.of("code")).getOrDefault("code", ""))
                    .filter(code -> !code.isEmpty())
                    .toList();
        }

        @Override
        public void send(List<Frame> batch, Completion completion) {
            batch.forEach(frame -> frames.add(frame.text()));
            completion.succeeded();
        }

        @Override
        public int copies() {
            return 0;
        }

        @Override
        public boolean prompt() {
            return false;
        }

        @Override
        public void ping(Completion completion) {
            completion.succeeded();
        }

        @Override
        public void close(Disconnect reason) {
            closes.add(reason.code());
        }

        @Override
        public void abort(Disconnect reason) {
            closes.add(reason.code());
        }
    }

    Peer open(Caller caller, String sessionId, long cursor) {
        Peer peer = new Peer(Optional.of(caller), sessionId, cursor);
        run();
        return peer;
    }

    /** Runs that do nothing but remember; what goes alongside a message is done in a transaction. */
    final class HandRuns implements Runs {
        final List<String> did = new ArrayList<>();
        final List<Payload> events = new ArrayList<>();
        // Done once, before the next message is stored.
        Runnable before = () -> {};
        boolean live;
        // What a stop gives instead; null for none.
        @Nullable
        CompletableFuture<Boolean> held;

        boolean broken;
        ApprovalResult decision = new ApprovalResult.Unknown();

        @Override
        public CompletionStage<TurnResult> message(UserMessage message, Consumer<String> alongside) {
            if (broken) {
                throw new IllegalStateException("the database is away: " + SECRET_OF_THE_PORT);
            }
            Runnable first = before;
            before = () -> {};
            first.run();
            tidings.transactions().run(() -> alongside.accept("run-of-" + message.sessionId()));
            did.add("message " + message.prompt());
            events.add(message.event());
            return CompletableFuture.completedFuture(new TurnResult.Queued("r"));
        }

        @Override
        public CompletionStage<Boolean> stop(String sessionId) {
            did.add("stop");
            return held == null ? CompletableFuture.completedFuture(live) : held;
        }

        @Override
        public CompletionStage<Boolean> cancel(String runId) {
            throw new AssertionError("not asked for");
        }

        @Override
        public ApprovalResult decide(String sessionId, String approvalId, Approval.Status status) {
            did.add("decide " + approvalId + " " + status.code());
            return decision;
        }

        @Override
        public void recover() {}

        @Override
        public void renewLease() {}

        @Override
        public void look() {}

        @Override
        public void close() {}
    }
}
