package dev.tidings.transport;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * The request that becomes a socket on this thread just now: a door may find the container's connection in it, which no
 * session shows. Known where {@link EarlyMessages} stands between the container and Tyrus, while the socket opens.
 *
 * <p>Threads: any; each sees its own.
 */
public final class Upgraded {
    private static final ThreadLocal<HttpServletRequest> CURRENT = new ThreadLocal<>();

    private Upgraded() {}

    /** The request of the socket that opens on this thread; null if none does, or it is not known. */
    public static @Nullable HttpServletRequest requestOrNull() {
        return CURRENT.get();
    }

    /** Opens a socket; nothing is left on the thread. */
    static void from(@Nullable HttpServletRequest request, Runnable opening) {
        if (request == null) {
            opening.run();
            return;
        }
        CURRENT.set(request);
        try {
            opening.run();
        } finally {
            CURRENT.remove();
        }
    }
}
