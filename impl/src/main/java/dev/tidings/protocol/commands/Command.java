package dev.tidings.protocol.commands;

import dev.tidings.Approval;
import dev.tidings.Payload;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a message on a socket asks for, or why it asks for nothing.
 *
 * <p>Threads: immutable. Source: protocols C.
 */
sealed interface Command {

    /** {@code user_message}: begins a turn. */
    record UserMessage(String content, @Nullable String messageId) implements Command {}

    /** {@code cancel}: stops the active run. */
    record Cancel() implements Command {}

    /** {@code tool_approval}: decides one. */
    record ToolApproval(String approvalId, Approval.Status decision) implements Command {}

    /** Nothing that can be done. */
    record Refused(CommandRefusal refusal) implements Command {}

    /** The longest text of a message, in bytes of UTF-8. */
    int MAX_CONTENT_BYTES = 64 << 10;

    /** The longest name that a client gives a message, in characters. */
    int MAX_MESSAGE_ID = 128;

    /** Reads a message; never throws. Members that are not known are ignored. */
    static Command read(String message) {
        Payload json;
        try {
            json = Payload.of(message);
        } catch (IllegalArgumentException malformed) {
            return new Refused(CommandRefusal.INVALID_JSON);
        }
        if (!message.stripLeading().startsWith("{")) {
            return new Refused(CommandRefusal.INVALID_JSON);
        }
        Set<String> names = Set.of("type", "content", "message_id", "approval_id", "decision");
        Map<String, String> texts = json.textMembers(names);
        return switch (texts.getOrDefault("type", "")) {
            case "user_message" ->
                userMessage(texts, json.members(Set.of("message_id")).containsKey("message_id"));
            case "cancel" -> new Cancel();
            case "tool_approval" -> toolApproval(texts);
            default -> new Refused(CommandRefusal.UNKNOWN_COMMAND);
        };
    }

    private static Command userMessage(Map<String, String> texts, boolean named) {
        String content = texts.getOrDefault("content", "");
        if (content.isEmpty() || content.getBytes(StandardCharsets.UTF_8).length > MAX_CONTENT_BYTES) {
            return new Refused(CommandRefusal.INVALID_CONTENT);
        }
        String id = texts.get("message_id");
        if (named && (id == null || id.isEmpty() || id.length() > MAX_MESSAGE_ID)) {
            return new Refused(CommandRefusal.INVALID_MESSAGE_ID);
        }
        return new UserMessage(content, id);
    }

    private static Command toolApproval(Map<String, String> texts) {
        String id = texts.getOrDefault("approval_id", "");
        Approval.Status decision = switch (texts.getOrDefault("decision", "")) {
            case "grant" -> Approval.Status.GRANTED;
            case "deny" -> Approval.Status.DENIED;
            default -> Approval.Status.PENDING;
        };
        return id.isEmpty() || decision == Approval.Status.PENDING
                ? new Refused(CommandRefusal.INVALID_APPROVAL)
                : new ToolApproval(id, decision);
    }
}
