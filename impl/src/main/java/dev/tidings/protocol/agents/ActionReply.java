package dev.tidings.protocol.agents;

import dev.tidings.envelope.CborValue;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The answer to an action that was done: the members of its response. The member {@code _}, {@code <Action>Response}, is
 * added by the API.
 *
 * <p>Threads: immutable.
 *
 * @param members without {@code _}; one without a value is left out, never null
 */
public record ActionReply(Map<String, CborValue> members) {

    /** Copies the members. */
    public ActionReply {
        members = Map.copyOf(members);
    }

    /** A reply with one member. */
    public static ActionReply of(String name, CborValue value) {
        return new ActionReply(Map.of(name, value));
    }

    /** A reply with two members. */
    public static ActionReply of(String first, CborValue firstValue, String second, CborValue secondValue) {
        return new ActionReply(Map.of(first, firstValue, second, secondValue));
    }

    /** This reply, as a stage that is already done. */
    public CompletionStage<ActionReply> now() {
        return CompletableFuture.completedFuture(this);
    }
}
