package dev.tidings.spi;

import java.util.concurrent.CompletionStage;

/**
 * How this node is. There is a bean of this type; who shows health injects it and asks as often as wanted.
 *
 * <p>Threads: any; nothing blocks.
 */
public interface NodeHealth {

    /** Whether new peers are to be sent to this node. */
    enum State {
        /** They are. */
        READY,
        /** The node stops; said before any socket is told to go. */
        DRAINING,
        /** The database does not answer. */
        UNAVAILABLE
    }

    /**
     * The state as of the last look. The node looks by itself, when it has started and every two seconds, however many ask; who
     * asks before the first look has ended gets its outcome, and before the start {@link State#UNAVAILABLE}.
     *
     * @return never fails; waits, if at all, for some seconds
     */
    CompletionStage<State> ready();

    /** Whether the work that comes round still does; the database is not asked. */
    boolean alive();
}
