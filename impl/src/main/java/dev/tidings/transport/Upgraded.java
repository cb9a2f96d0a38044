package dev.tidings.transport;

import org.jspecify.annotations.Nullable;

/**
 * The connection of the socket that opens on this thread just now, which no session shows: for a door, and for whoever has to
 * drop it. Known in Payara, where {@link EarlyMessages} stands between the container and Tyrus, while the socket opens.
 *
 * <p>Threads: any; each sees its own.
 */
public final class Upgraded {
    private static final ThreadLocal<PayaraConnection> CURRENT = new ThreadLocal<>();

    private Upgraded() {}

    /** The connection of the socket that opens on this thread; null if none does, or it is not known. */
    public static @Nullable PayaraConnection connectionOrNull() {
        return CURRENT.get();
    }

    /** Opens a socket; nothing is left on the thread. */
    static void from(@Nullable PayaraConnection connection, Runnable opening) {
        if (connection == null) {
            opening.run();
            return;
        }
        CURRENT.set(connection);
        try {
            opening.run();
        } finally {
            CURRENT.remove();
        }
    }
}
