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
     * The state as of the last look; the node looks every two seconds by itself, however many ask, and not before it has started.
     *
     * @return never fails
     */
    CompletionStage<State> ready();

    /** Whether the work that comes round still does; the database is not asked. */
    boolean alive();
}
