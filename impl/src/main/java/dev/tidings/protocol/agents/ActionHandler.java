package dev.tidings.protocol.agents;

import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * What does one action of the signed HTTP API.
 *
 * <p>A backend adds an action, or replaces a built-in one, with a CDI bean of this type: the backend's handler of a name
 * always wins over the built-in one. Two of the backend's with one name are refused at start.
 *
 * <p>Once (law 11): an action that writes is done in one transaction with its receipt, which keeps it from being done again
 * wherever it comes again. What a handler needs to know of that is in {@link #readsOnly} and {@link #ownTransactions}.
 *
 * <p>Threads: called by many worker threads at once; may block. A handler whose answer takes long gives back a stage that is
 * completed later, so that no thread waits. Errors: an {@link ActionRefusal}, thrown or in the stage, is the answer; any
 * other exception is answered with 500 and nothing of it is shown. Source: protocols A9.
 */
public interface ActionHandler {

    /** The member {@code _} of the actions that it does, such as {@code CreateAgent}. */
    String name();

    /**
     * Does one action; the envelope has been verified, the account's right to do this has not.
     *
     * <p>It is called in a transaction, which is rolled back if it throws, unless {@link #readsOnly} or
     * {@link #ownTransactions} says otherwise.
     */
    CompletionStage<ActionReply> handle(ActionCall call);

    /**
     * Whether it changes nothing. Such an action sent again is done again, so that access is checked anew; any other
     * gets its first answer again.
     */
    default boolean readsOnly() {
        return false;
    }

    /**
     * Whether its effect is made in transactions of its own, or takes long. Then it is called without one, and calls
     * {@link ActionCall#begin} in the transaction of its effect, or {@link ActionCall#finish} in the last one. If it calls
     * neither, the answer is remembered when it is there, and an action that comes again while the first is under way on
     * another node, or was cut by a node's end, is done again.
     */
    default boolean ownTransactions() {
        return false;
    }

    /**
     * The client's own name for this very action, made unique within the account and the action's name; another action
     * under the same name is refused with 409, the same one gets the first answer.
     */
    default Optional<String> clientKey(ActionCall call) {
        return Optional.empty();
    }

    /**
     * What came of an action that was begun before and has no answer yet, if that can be told by now: the first is under way
     * on another node, or was cut. Asked about twice a second, until the first has its answer or
     * {@code tidings.agents.message-timeout} is over; then the answer is 409, {@code already_handled}. The same errors as
     * {@link #handle}: a refusal is the outcome, anything else is not.
     */
    default Optional<ActionReply> outcome(ActionCall call, Begun begun) {
        return Optional.empty();
    }

    /**
     * An action that was begun.
     *
     * @param reference what {@link ActionCall#begin} was given; empty if the handler did not call it
     * @param at when, epoch milliseconds
     */
    record Begun(String reference, long at) {}
}
