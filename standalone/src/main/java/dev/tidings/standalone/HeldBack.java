package dev.tidings.standalone;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.glassfish.grizzly.CloseListener;
import org.glassfish.grizzly.CloseType;
import org.glassfish.grizzly.Closeable;
import org.glassfish.grizzly.Connection;

/**
 * Ends the connections of peers that were refused and keep back what they announced: Grizzly waits for the rest of a body
 * before it closes, without a thread, and for as long as the peer likes.
 *
 * <p>Threads: any.
 */
final class HeldBack {
    private final ScheduledExecutorService timer;
    private final Duration patience;

    /** @param patience for the rest of a body; a peer that is still sending should get to read its answer */
    HeldBack(ScheduledExecutorService timer, Duration patience) {
        this.timer = timer;
        this.patience = patience;
    }

    /** A servlet has returned. What is answered later is watched by whoever answers. */
    void watch(HttpServletRequest request, HttpServletResponse response, Connection<?> connection) {
        boolean bodyAnnounced = request.getContentLengthLong() > 0 || request.getHeader("Transfer-Encoding") != null;
        if (!bodyAnnounced || request.isAsyncStarted() || !"close".equals(response.getHeader("Connection"))) {
            return;
        }
        try {
            ScheduledFuture<?> drop =
                    timer.schedule(connection::terminateSilently, patience.toMillis(), TimeUnit.MILLISECONDS);
            connection.addCloseListener((CloseListener<Closeable, CloseType>) (closed, type) -> drop.cancel(false));
        } catch (RejectedExecutionException stopping) {
            // All connections end.
        }
    }
}
