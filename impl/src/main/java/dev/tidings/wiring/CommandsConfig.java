package dev.tidings.wiring;

import dev.tidings.protocol.commands.CommandsSettings;
import dev.tidings.protocol.commands.Turns;
import dev.tidings.protocol.http.Auth;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * How the session commands are configured.
 *
 * <p>Threads: immutable.
 */
record CommandsConfig(
        boolean enabled, Auth auth, String agentId, Turns turns, int maxPendingMessages, int maxPendingBytes) {

    private static final Duration RECEIPT_RETENTION = Duration.ofHours(24);

    static final Setting<Boolean> ENABLED = Setting.flag("tidings.commands.enabled", false);
    static final Setting<Auth> AUTH = new Setting<>(
            "tidings.commands.auth",
            "api-key",
            "api-key, container or none",
            text -> Auth.ofCode(text.strip()).orElseThrow(() -> new IllegalArgumentException("no such way")));
    static final Setting<String> AGENT = Setting.text("tidings.commands.agent", "", "at most 255 characters", 255);
    static final Setting<Turns> TURNS = new Setting<>(
            "tidings.commands.turns",
            "queue",
            "queue, reject or interrupt",
            text -> Turns.ofCode(text.strip()).orElseThrow(() -> new IllegalArgumentException("no such way")));
    static final Setting<Integer> PENDING_MESSAGES =
            Setting.integer("tidings.commands.max-pending-messages", 256, 1, 10_000);
    static final Setting<Integer> PENDING_BYTES =
            Setting.integer("tidings.commands.max-pending-bytes", 1 << 20, 1 << 10, 64 << 20);

    static CommandsConfig read(Function<String, Optional<String>> source) {
        return new CommandsConfig(
                ENABLED.read(source),
                AUTH.read(source),
                AGENT.read(source),
                TURNS.read(source),
                PENDING_MESSAGES.read(source),
                PENDING_BYTES.read(source));
    }

    /**
     * What the face is made with.
     *
     * @throws IllegalStateException naming what it lacks
     */
    CommandsSettings settings(boolean keys, boolean storesDeltas) {
        require(storesDeltas, "tidings.log.store-deltas is not");
        require(
                auth != Auth.API_KEY || keys,
                "the application has no bean for ApiKeys; add tidings-jpa or one of your own");
        require(
                auth != Auth.NONE || !agentId.isEmpty(),
                "with tidings.commands.auth none it needs tidings.commands.agent");
        return new CommandsSettings(auth, agentId, turns, RECEIPT_RETENTION, maxPendingMessages, maxPendingBytes);
    }

    private static void require(boolean given, String lack) {
        if (!given) {
            throw new IllegalStateException("tidings.commands.enabled is true, but " + lack);
        }
    }
}
