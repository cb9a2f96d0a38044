package dev.tidings.transport;

import jakarta.websocket.Session;
import org.jspecify.annotations.Nullable;

/**
 * Finds the doors of one kind of container; loaded with {@link java.util.ServiceLoader}.
 *
 * <p>An implementation may name classes that are missing elsewhere, but not in its own signatures: what it throws, a
 * {@link LinkageError} or a {@link ClassCastException} included, means that there is no door. Threads: any.
 */
public interface DoorFinder {

    /** The container, in one word for the log. */
    String container();

    /**
     * Looks, at start, for all that its doors rely on.
     *
     * @return whether this is its container
     */
    boolean test();

    /** The door of an open socket; null if it has none. */
    @Nullable
    Door find(Session session);
}
