package dev.tidings.protocol.agents;

import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * What does one action of the signed HTTP API.
 *
 * <p>A backend adds an action, or replaces a built-in one, with a CDI bean of this type: the backend's handler of a name
 * always wins over the built-in one. Two of the backend's with one name are refused at start.
 *
 * <p>Threads: called by many worker threads at once, without a transaction; may block. A handler whose answer takes long
 * gives back a stage that is completed later, so that no thread waits. Errors: an {@link ActionRefusal}, thrown or in the
 * stage, is the answer; any other exception is answered with 500 and nothing of it is shown. Source: protocols A9.
 */
public interface ActionHandler {

    /** The member {@code _} of the actions that it does, such as {@code CreateAgent}. */
    String name();

    /** Does one action; the envelope has been verified, the account's right to do this has not. */
    CompletionStage<ActionReply> handle(ActionCall call);

    /**
     * Whether it changes nothing. Such an action sent again is done again, so that access is checked anew; any other
     * gets its first answer again.
     */
    default boolean readsOnly() {
        return false;
    }

    /**
     * The client's own name for this very action, made unique within the account and the action's name; another action
     * under the same name is refused with 409, the same one gets the first answer.
     */
    default Optional<String> clientKey(ActionCall call) {
        return Optional.empty();
    }
}
