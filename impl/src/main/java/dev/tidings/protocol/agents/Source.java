package dev.tidings.protocol.agents;

import dev.tidings.delivery.Channel;
import dev.tidings.delivery.Frame;
import dev.tidings.delivery.Gate;
import dev.tidings.delivery.Opening;
import dev.tidings.protocol.agents.SubscribeAction.Refused;
import org.jspecify.annotations.Nullable;

/**
 * What one kind of key has to show, to somebody who asked and may see it.
 *
 * <p>Threads: one at a time; calls may block on the ports, and throw what they throw.
 */
interface Source {

    /**
     * The answer to a Subscribe.
     *
     * @param frame the {@code subscribed}
     * @param standing where the subscription stands; null for keys without a log
     */
    record Answer(Frame frame, @Nullable Standing standing) {}

    /** What is shown. */
    Held.Target target();

    /** The refusal for a thing that is not there, or must look like it. */
    AgentsRefusal missing();

    /** What must be open. */
    Gate gate();

    /** Where it comes from. */
    Channel channel();

    /** The answer. Asked when the subscription is registered. */
    Answer answer();

    /** What is shown first, as it is now. Asked behind the answer, perhaps more than once. */
    Opening opening(Answer answer) throws Refused;

    /** Looks whether it may still be seen. */
    void requireAccess() throws Refused;
}
