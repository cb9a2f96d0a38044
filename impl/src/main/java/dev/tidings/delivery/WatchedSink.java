package dev.tidings.delivery;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A sink that tells when the engine gives its socket up, so that whoever keeps the socket lets go of it, whether or not the
 * container says that it is closed.
 *
 * <p>The socket is made around the sink's outbox, so it is known only later; the engine may have given it up by then.
 *
 * <p>Threads: any.
 */
public final class WatchedSink implements Sink {
    private final Sink sink;
    // Volatile: written once the socket is made; ended may come before that.
    private volatile @Nullable Runnable letGo;
    private volatile boolean ended;

    /** A sink that sends through another. */
    public WatchedSink(Sink sink) {
        this.sink = sink;
    }

    /**
     * The socket is made and kept.
     *
     * @param whenGivenUp lets go of it; must not block, and may be called more than once
     */
    public void opened(Runnable whenGivenUp) {
        letGo = whenGivenUp;
        if (ended) {
            whenGivenUp.run();
        }
    }

    @Override
    public void send(List<Frame> batch, Completion completion) {
        sink.send(batch, completion);
    }

    @Override
    public int copies() {
        return sink.copies();
    }

    @Override
    public boolean prompt() {
        return sink.prompt();
    }

    @Override
    public void ping(Completion completion) {
        sink.ping(completion);
    }

    @Override
    public void close(Disconnect reason) {
        giveUp();
        sink.close(reason);
    }

    @Override
    public void abort(Disconnect reason) {
        giveUp();
        sink.abort(reason);
    }

    private void giveUp() {
        ended = true;
        Runnable known = letGo;
        if (known != null) {
            known.run();
        }
    }
}
