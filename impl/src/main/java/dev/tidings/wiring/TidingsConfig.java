package dev.tidings.wiring;

import dev.tidings.access.KeyAccess;
import dev.tidings.delivery.DeliveryLimits;
import dev.tidings.envelope.EnvelopeLimits;
import dev.tidings.protocol.admission.AdmissionLimits;
import dev.tidings.protocol.agents.AgentsDoor;
import dev.tidings.protocol.agents.AgentsHttpLimits;
import dev.tidings.protocol.agents.AgentsLimits;
import dev.tidings.protocol.agents.ReceiptLimits;
import dev.tidings.protocol.conversations.ConversationsDoor;
import dev.tidings.protocol.conversations.ConversationsPaths;
import dev.tidings.protocol.http.Auth;
import dev.tidings.protocol.http.FaceDoor;
import dev.tidings.protocol.http.HttpLimits;
import dev.tidings.protocol.http.Origins;
import dev.tidings.runs.RunLimits;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The whole configuration, read once at start and checked.
 *
 * <p>Threads: immutable.
 */
record TidingsConfig(
        DeliveryLimits delivery,
        EnvelopeLimits envelope,
        AgentsLimits agents,
        AgentsHttpLimits agentsHttp,
        int httpReads,
        int httpTranscripts,
        Duration httpBodyTimeout,
        RunLimits runs,
        AgentsDoor agentsDoor,
        CommandsConfig commands,
        boolean conversationsEnabled,
        ConversationsPaths conversationsPaths,
        int conversationsWindow,
        Set<String> httpOrigins,
        String apiKey,
        Duration headsInterval,
        Duration accessRecheck,
        Duration accessPatience,
        int dispatchMaxBytes,
        AdmissionLimits admission,
        Duration drainPeriod,
        Duration runsRecheck,
        String nodeId,
        boolean doors,
        String threadFactory) {

    static final Setting<Boolean> AGENTS_ENABLED = Setting.flag("tidings.agents.enabled", true);
    static final Setting<String> ALLOWED_ORIGINS =
            Setting.text("tidings.agents.allowed-origins", "", "origins, separated by commas", 10_000);
    static final Setting<Integer> MESSAGE_BYTES =
            Setting.integer("tidings.agents.max-message-bytes", 256 << 10, 1 << 10, 1 << 20);
    static final Setting<Integer> PENDING_MESSAGES =
            Setting.integer("tidings.agents.max-pending-messages", 256, 1, 10_000);
    static final Setting<Integer> PENDING_BYTES =
            Setting.integer("tidings.agents.max-pending-bytes", 1 << 20, 1 << 10, 64 << 20);
    static final Setting<Integer> HTTP_BYTES =
            Setting.integer("tidings.agents.max-http-message-bytes", 1 << 20, 1 << 10, 64 << 20);
    static final Setting<Integer> HTTP_PENDING_BYTES =
            Setting.integer("tidings.agents.max-http-pending-bytes", 64 << 20, 1 << 20, 1 << 30);
    static final Setting<Integer> HTTP_ANSWER_BYTES =
            Setting.integer("tidings.agents.max-http-answer-bytes", 128 << 20, 1 << 20, 1 << 30);
    static final Setting<Integer> TRANSCRIPT_BYTES =
            Setting.integer("tidings.agents.max-transcript-bytes", 16 << 20, 1 << 10, 256 << 20);
    static final Setting<Duration> MESSAGE_TIMEOUT =
            Setting.duration("tidings.agents.message-timeout", "PT10M", "PT1S", "PT24H");
    static final Setting<Integer> HTTP_VERIFICATIONS =
            Setting.integer("tidings.agents.max-http-verifications", 2, 1, 256);
    static final Setting<Integer> TOOLS = Setting.integer("tidings.agents.max-tools", 32, 1, 10_000);
    static final Setting<Integer> DEFINITION_BYTES =
            Setting.integer("tidings.agents.max-definition-bytes", 64 << 10, 1 << 10, 16 << 20);
    static final Setting<Integer> TITLE_LENGTH = Setting.integer("tidings.agents.max-title-length", 500, 1, 100_000);
    static final Setting<Integer> ACTIONS_IN_PROGRESS =
            Setting.integer("tidings.agents.max-actions-in-progress", 10_000, 1, 10_000_000);
    static final Setting<Integer> RECEIPT_ANSWER_BYTES =
            Setting.integer("tidings.agents.receipts.max-answer-bytes", 1 << 20, 0, 16 << 20);
    static final Setting<Duration> RECEIPT_RETENTION =
            Setting.duration("tidings.agents.receipts.client-id-retention", "PT24H", "PT1M", "P30D");
    static final Setting<Integer> MAX_DEPTH = Setting.integer("tidings.agents.max-depth", 64, 2, 512);
    static final Setting<Duration> CLOCK_SKEW =
            Setting.duration("tidings.agents.max-clock-skew", "PT5M", "PT1S", "PT24H");
    static final Setting<Duration> UNBOUND_TIMEOUT =
            Setting.duration("tidings.agents.unbound-timeout", "PT5M", "PT1S", "PT24H");
    static final Setting<Duration> HINT_INTERVAL =
            Setting.duration("tidings.agents.hint-interval", "PT1.5S", "PT0.05S", "PT1M");
    static final Setting<Integer> SUBSCRIPTIONS = Setting.integer("tidings.agents.max-subscriptions", 256, 1, 10_000);
    static final Setting<Integer> VERIFICATIONS = Setting.integer("tidings.agents.max-verifications", 2, 1, 256);

    static final Setting<Integer> RUNNING_TEXT_BYTES =
            Setting.integer("tidings.agents.max-running-text-bytes", 16 << 20, 0, 1 << 30);

    static final Setting<Integer> ACCOUNT_SOCKETS =
            Setting.integer("tidings.agents.max-sockets-per-account", 4_096, 1, 1_000_000);
    static final Setting<Integer> ADDRESS_SOCKETS =
            Setting.integer("tidings.agents.max-sockets-per-address", 16_384, 1, 1_000_000);
    static final Setting<Integer> MESSAGES_PER_SECOND =
            Setting.integer("tidings.agents.max-messages-per-second", 100, 1, 100_000);
    static final Setting<Integer> REFUSALS = Setting.integer("tidings.agents.max-refusals", 1_000, 1, 1_000_000);

    static final Setting<Integer> DELIVERY_BYTES =
            Setting.shareOfHeap("tidings.delivery.max-bytes", 256 << 20, 16 << 20, Integer.MAX_VALUE);
    static final Setting<Duration> DRAIN_PERIOD = Setting.duration("tidings.drain.period", "PT5S", "PT0S", "PT10M");
    static final Setting<Integer> OUTBOX_BYTES =
            Setting.integer("tidings.outbox.max-bytes", 1 << 20, 64 << 10, 64 << 20);
    static final Setting<Integer> BATCH_BYTES =
            Setting.integer("tidings.outbox.batch-bytes", 64 << 10, 1 << 10, 4 << 20);
    static final Setting<Duration> SEND_TIMEOUT =
            Setting.duration("tidings.outbox.send-timeout", "PT20S", "PT1S", "PT10M");
    static final Setting<Boolean> DOOR = Setting.choice("tidings.transport.door", "auto", "portable");
    static final Setting<Integer> WINDOW_FRAMES = Setting.integer("tidings.window.max-frames", 2_000, 16, 100_000);
    static final Setting<Integer> WINDOW_BYTES =
            Setting.integer("tidings.window.max-bytes", 4 << 20, 64 << 10, 256 << 20);
    static final Setting<Duration> WINDOW_LINGER = Setting.duration("tidings.window.linger", "PT30S", "PT0S", "PT1H");
    static final Setting<Integer> REPLAY_READS = Setting.integer("tidings.replay.max-reads", 4, 1, 64);
    static final Setting<Integer> PAGE_ENTRIES = Setting.integer("tidings.replay.page-entries", 256, 1, 10_000);
    static final Setting<Integer> PAGE_BYTES =
            Setting.integer("tidings.replay.page-bytes", 256 << 10, 1 << 10, 16 << 20);
    static final Setting<Duration> READ_RETRY = Setting.duration("tidings.replay.retry", "PT0.5S", "PT0.05S", "PT1M");
    static final Setting<Duration> HEARTBEAT_INTERVAL =
            Setting.duration("tidings.heartbeat.interval", "PT15S", "PT1S", "PT10M");
    static final Setting<Duration> HEARTBEAT_TIMEOUT =
            Setting.duration("tidings.heartbeat.timeout", "PT45S", "PT2S", "PT1H");
    static final Setting<Duration> HEADS_INTERVAL =
            Setting.duration("tidings.heads.interval", "PT2S", "PT0.1S", "PT1M");
    static final Setting<Duration> ACCESS_RECHECK =
            Setting.duration("tidings.access.recheck", "PT1S", "PT0.1S", "PT1M");
    static final Setting<Duration> ACCESS_PATIENCE =
            Setting.duration("tidings.access.patience", "PT5S", "PT0.5S", "PT5M");
    static final Setting<Integer> DISPATCH_BYTES =
            Setting.integer("tidings.dispatch.max-bytes", 16 << 20, 64 << 10, 1 << 30);

    static final Setting<Integer> RUN_PENDING_BYTES =
            Setting.integer("tidings.runs.max-pending-bytes", 256 << 10, 1 << 10, 64 << 20);
    static final Setting<Integer> RUN_MESSAGE_BYTES =
            Setting.integer("tidings.runs.max-message-bytes", 8 << 20, 1 << 10, 64 << 20);
    static final Setting<Duration> RUNS_RECHECK = Setting.duration("tidings.runs.recheck", "PT30S", "PT1S", "PT1H");
    static final Setting<Duration> APPROVAL_TIMEOUT =
            Setting.duration("tidings.approvals.timeout", "PT10M", "PT1S", "P7D");
    static final Setting<Duration> NODE_LEASE = Setting.duration("tidings.node.lease", "PT30S", "PT3S", "PT10M");
    static final Setting<String> NODE_ID = Setting.text("tidings.node.id", "", "at most 100 characters", 100);

    static final Setting<String> THREAD_FACTORY = new Setting<>(
            "tidings.threads.factory",
            "java:comp/DefaultManagedThreadFactory",
            "a name that begins with java:",
            // Others may lead to a directory outside the server.
            text -> {
                String name = text.strip();
                if (!name.startsWith("java:")) {
                    throw new IllegalArgumentException("another name");
                }
                return name;
            });

    static final Setting<Boolean> STORE_DELTAS = Setting.flag("tidings.log.store-deltas", false);
    static final Setting<Duration> DELTA_DELAY =
            Setting.duration("tidings.commands.delta-delay", "PT0.04S", "PT0S", "PT1S");
    static final Setting<Integer> HTTP_READS = Setting.integer("tidings.http.max-reads", 4, 1, 64);
    static final Setting<Integer> HTTP_TRANSCRIPTS = Setting.integer("tidings.http.max-transcripts", 64, 1, 10_000);
    static final Setting<Duration> HTTP_BODY_TIMEOUT =
            Setting.duration("tidings.http.body-timeout", "PT30S", "PT1S", "PT10M");
    static final Setting<String> HTTP_ORIGINS =
            Setting.text("tidings.http.allowed-origins", "", "origins, separated by commas", 10_000);
    static final Setting<String> API_KEY = Setting.text("tidings.api-key", "", "at most 1000 characters", 1_000);

    static final Setting<Boolean> CONVERSATIONS_ENABLED = Setting.flag("tidings.conversations.enabled", false);
    static final Setting<String> CONVERSATIONS_PATH = new Setting<>(
            "tidings.conversations.path",
            "",
            "empty, or a path such as /tidings",
            text -> new ConversationsPaths(text.strip()).prefix());
    static final Setting<Integer> CONVERSATIONS_WINDOW =
            Setting.integer("tidings.conversations.window", 2_000, 16, 100_000);

    /** Every key, for the documentation's test. */
    static final List<Setting<?>> SETTINGS = List.of(
            AGENTS_ENABLED,
            ALLOWED_ORIGINS,
            MESSAGE_BYTES,
            PENDING_MESSAGES,
            PENDING_BYTES,
            HTTP_BYTES,
            HTTP_PENDING_BYTES,
            HTTP_ANSWER_BYTES,
            TRANSCRIPT_BYTES,
            MESSAGE_TIMEOUT,
            HTTP_VERIFICATIONS,
            TOOLS,
            DEFINITION_BYTES,
            TITLE_LENGTH,
            ACTIONS_IN_PROGRESS,
            RECEIPT_ANSWER_BYTES,
            RECEIPT_RETENTION,
            MAX_DEPTH,
            CLOCK_SKEW,
            UNBOUND_TIMEOUT,
            HINT_INTERVAL,
            SUBSCRIPTIONS,
            VERIFICATIONS,
            RUNNING_TEXT_BYTES,
            ACCOUNT_SOCKETS,
            ADDRESS_SOCKETS,
            MESSAGES_PER_SECOND,
            REFUSALS,
            DELIVERY_BYTES,
            DRAIN_PERIOD,
            OUTBOX_BYTES,
            BATCH_BYTES,
            SEND_TIMEOUT,
            DOOR,
            WINDOW_FRAMES,
            WINDOW_BYTES,
            WINDOW_LINGER,
            REPLAY_READS,
            PAGE_ENTRIES,
            PAGE_BYTES,
            READ_RETRY,
            HEARTBEAT_INTERVAL,
            HEARTBEAT_TIMEOUT,
            HEADS_INTERVAL,
            ACCESS_RECHECK,
            ACCESS_PATIENCE,
            DISPATCH_BYTES,
            RUN_PENDING_BYTES,
            RUN_MESSAGE_BYTES,
            RUNS_RECHECK,
            APPROVAL_TIMEOUT,
            NODE_LEASE,
            NODE_ID,
            THREAD_FACTORY,
            CONVERSATIONS_ENABLED,
            CONVERSATIONS_PATH,
            CONVERSATIONS_WINDOW,
            HTTP_READS,
            HTTP_TRANSCRIPTS,
            HTTP_BODY_TIMEOUT,
            HTTP_ORIGINS,
            API_KEY,
            STORE_DELTAS,
            DELTA_DELAY,
            CommandsConfig.ENABLED,
            CommandsConfig.AUTH,
            CommandsConfig.AGENT,
            CommandsConfig.TURNS,
            CommandsConfig.PENDING_MESSAGES,
            CommandsConfig.PENDING_BYTES);

    /**
     * Reads and checks everything.
     *
     * @param source the value of a key, if it is set
     * @throws IllegalArgumentException naming the first key that is out of its range
     */
    static TidingsConfig read(Function<String, Optional<String>> source) {
        EnvelopeLimits envelope = new EnvelopeLimits(MAX_DEPTH.read(source), CLOCK_SKEW.read(source));
        String node = NODE_ID.read(source);
        return new TidingsConfig(
                delivery(source),
                envelope,
                agents(source),
                agentsHttp(source),
                HTTP_READS.read(source),
                HTTP_TRANSCRIPTS.read(source),
                HTTP_BODY_TIMEOUT.read(source),
                new RunLimits(
                        RUN_PENDING_BYTES.read(source),
                        RUN_MESSAGE_BYTES.read(source),
                        APPROVAL_TIMEOUT.read(source),
                        STORE_DELTAS.read(source),
                        DELTA_DELAY.read(source),
                        NODE_LEASE.read(source),
                        RunLimits.DEFAULTS.firstRetry(),
                        RunLimits.DEFAULTS.longestRetry(),
                        RunLimits.DEFAULTS.stopWait()),
                door(source),
                CommandsConfig.read(source),
                CONVERSATIONS_ENABLED.read(source),
                new ConversationsPaths(CONVERSATIONS_PATH.read(source)),
                CONVERSATIONS_WINDOW.read(source),
                origins(HTTP_ORIGINS, source),
                API_KEY.read(source),
                HEADS_INTERVAL.read(source),
                ACCESS_RECHECK.read(source),
                ACCESS_PATIENCE.read(source),
                DISPATCH_BYTES.read(source),
                new AdmissionLimits(
                        ACCOUNT_SOCKETS.read(source),
                        ADDRESS_SOCKETS.read(source),
                        MESSAGES_PER_SECOND.read(source),
                        REFUSALS.read(source)),
                DRAIN_PERIOD.read(source),
                RUNS_RECHECK.read(source),
                node.isEmpty() ? UUID.randomUUID().toString() : node,
                DOOR.read(source),
                THREAD_FACTORY.read(source));
    }

    /** Who is let in; read without the rest, since the door must answer while everything behind it is switched off. */
    static AgentsDoor door(Function<String, Optional<String>> source) {
        return new AgentsDoor(AGENTS_ENABLED.read(source), origins(ALLOWED_ORIGINS, source));
    }

    /** Who is let in by the face of conversations; read without the rest, likewise. */
    static ConversationsDoor conversationsDoor(Function<String, Optional<String>> source, Supplier<KeyAccess> keys) {
        return new ConversationsDoor(
                new FaceDoor(
                        CONVERSATIONS_ENABLED.read(source),
                        Auth.API_KEY,
                        new Origins(origins(HTTP_ORIGINS, source)),
                        keys),
                new ConversationsPaths(CONVERSATIONS_PATH.read(source)));
    }

    /** The bounds of the sockets of conversations: those of all, but for the window; a stream that nobody watches is dropped. */
    DeliveryLimits conversationsDelivery() {
        return new DeliveryLimits(
                delivery.outboxMaxBytes(),
                delivery.batchMaxBytes(),
                conversationsWindow,
                delivery.windowMaxBytes(),
                Duration.ZERO,
                delivery.replayMaxReads(),
                delivery.pageMaxEntries(),
                delivery.pageMaxBytes(),
                delivery.readRetry(),
                delivery.sendTimeout(),
                delivery.heartbeatInterval(),
                delivery.heartbeatTimeout(),
                delivery.maxBytes());
    }

    /** The bounds of HTTP, for all protocols together. */
    HttpLimits http() {
        return new HttpLimits(
                agentsHttp.maxPendingBytes(),
                agentsHttp.maxAnswerBytes(),
                httpReads,
                httpTranscripts,
                httpBodyTimeout,
                delivery.sendTimeout());
    }

    /** How long what a look at the grants, the signers or the keys found holds, from when it began. */
    Duration accessMaxAge() {
        return accessRecheck.plus(accessPatience);
    }

    /** The origins that faces for browsers let in besides a request's own. */
    static Set<String> httpOrigins(Function<String, Optional<String>> source) {
        return origins(HTTP_ORIGINS, source);
    }

    private static Set<String> origins(Setting<String> setting, Function<String, Optional<String>> source) {
        return Stream.of(setting.read(source).split(",", -1))
                .map(String::strip)
                .filter(origin -> !origin.isEmpty())
                .collect(Collectors.toSet());
    }

    /** Never shows the key. */
    @Override
    public String toString() {
        return "TidingsConfig[" + nodeId + "]";
    }

    private static DeliveryLimits delivery(Function<String, Optional<String>> source) {
        return new DeliveryLimits(
                OUTBOX_BYTES.read(source),
                BATCH_BYTES.read(source),
                WINDOW_FRAMES.read(source),
                WINDOW_BYTES.read(source),
                WINDOW_LINGER.read(source),
                REPLAY_READS.read(source),
                PAGE_ENTRIES.read(source),
                PAGE_BYTES.read(source),
                READ_RETRY.read(source),
                SEND_TIMEOUT.read(source),
                HEARTBEAT_INTERVAL.read(source),
                HEARTBEAT_TIMEOUT.read(source),
                DELIVERY_BYTES.read(source));
    }

    private static AgentsLimits agents(Function<String, Optional<String>> source) {
        return new AgentsLimits(
                MESSAGE_BYTES.read(source),
                UNBOUND_TIMEOUT.read(source),
                HINT_INTERVAL.read(source),
                SUBSCRIPTIONS.read(source),
                VERIFICATIONS.read(source),
                PENDING_MESSAGES.read(source),
                PENDING_BYTES.read(source),
                RUNNING_TEXT_BYTES.read(source));
    }

    private static AgentsHttpLimits agentsHttp(Function<String, Optional<String>> source) {
        return new AgentsHttpLimits(
                HTTP_BYTES.read(source),
                HTTP_PENDING_BYTES.read(source),
                HTTP_ANSWER_BYTES.read(source),
                TRANSCRIPT_BYTES.read(source),
                DEFINITION_BYTES.read(source),
                TITLE_LENGTH.read(source),
                HTTP_VERIFICATIONS.read(source),
                TOOLS.read(source),
                MESSAGE_TIMEOUT.read(source),
                new ReceiptLimits(
                        ACTIONS_IN_PROGRESS.read(source),
                        RECEIPT_ANSWER_BYTES.read(source),
                        RECEIPT_RETENTION.read(source)));
    }
}
