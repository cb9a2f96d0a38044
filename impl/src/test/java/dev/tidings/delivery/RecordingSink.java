package dev.tidings.delivery;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A peer that keeps what it is sent: it takes everything at once, or nothing more while it is stalled.
 *
 * <p>Threads: one.
 */
public class RecordingSink implements Sink {
    /** The texts of what was sent, in order. */
    public final List<String> frames = new ArrayList<>();

    /** Why it was closed or aborted; null if it was not. */
    public @Nullable Disconnect closed;

    private boolean stalled;
    private @Nullable Completion held;

    @Override
    public void send(List<Frame> batch, Completion completion) {
        batch.forEach(frame -> frames.add(frame.text()));
        if (stalled) {
            held = completion;
        } else {
            completion.succeeded();
        }
    }

    @Override
    public int copies() {
        return 0;
    }

    @Override
    public boolean prompt() {
        return false;
    }

    @Override
    public void ping(Completion completion) {
        completion.succeeded();
    }

    @Override
    public void close(Disconnect reason) {
        closed = reason;
    }

    @Override
    public void abort(Disconnect reason) {
        closed = reason;
    }

    /** What is sent from now on is not taken. */
    public void stall() {
        stalled = true;
    }

    /** What was sent is taken, and what comes. */
    public void drain() {
        stalled = false;
        Completion waiting = held;
        held = null;
        if (waiting != null) {
            waiting.succeeded();
        }
    }
}
