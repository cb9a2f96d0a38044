package dev.tidings;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who a numbered entry of a session comes from, as the rollup of an agent shows it ({@link AgentActivity}).
 *
 * <p>It is derived once, when an entry is stored, from the {@code type} and {@code role} (else {@code actor}) of its
 * payload, so that reading a rollup parses nothing.
 *
 * <p>Threads: immutable. Source: protocols A7, AgentActivity.
 *
 * @param kind {@code user}, {@code agent} or {@code tool}
 * @param message whether it is a message of a user or an agent
 */
public record EntryOrigin(String kind, boolean message) {

    private static final Set<String> MEMBERS = Set.of("type", "role", "actor");

    /** The origin of an entry of a session; empty for what is not numbered. */
    public static Optional<EntryOrigin> of(NewEntry entry) {
        if (!entry.numbered() || entry.kind() == EntryKind.JOURNAL) {
            return Optional.empty();
        }
        Map<String, String> members = entry.payload().textMembers(MEMBERS);
        String type = members.getOrDefault("type", "");
        return Optional.of(
                switch (type) {
                    case "message" -> ofMessage(members.get("role"));
                    case "tool_call", "tool_result" -> new EntryOrigin("tool", false);
                    default -> new EntryOrigin("user".equals(members.get("actor")) ? "user" : "agent", false);
                });
    }

    private static EntryOrigin ofMessage(@Nullable String role) {
        if ("tool".equals(role)) {
            return new EntryOrigin("tool", false);
        }
        return new EntryOrigin("user".equals(role) ? "user" : "agent", true);
    }
}
