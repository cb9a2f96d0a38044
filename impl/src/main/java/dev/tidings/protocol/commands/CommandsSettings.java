package dev.tidings.protocol.commands;

import dev.tidings.protocol.http.Auth;
import java.time.Duration;

/**
 * How the face is set up; docs/configuration.md has the keys.
 *
 * <p>Threads: immutable.
 *
 * @param auth {@code tidings.commands.auth}
 * @param agentId {@code tidings.commands.agent}: the agent of new sessions; empty for none
 * @param turns {@code tidings.commands.turns}
 * @param receiptRetention how long the id of a message is remembered
 * @param maxPendingMessages {@code tidings.commands.max-pending-messages}: messages of one socket that may wait; one more
 *     closes it as overloaded
 * @param maxPendingBytes {@code tidings.commands.max-pending-bytes}: likewise in bytes of UTF-8; one alone may wait in any case
 */
public record CommandsSettings(
        Auth auth,
        String agentId,
        Turns turns,
        Duration receiptRetention,
        int maxPendingMessages,
        int maxPendingBytes) {}
