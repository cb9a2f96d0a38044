package dev.tidings.protocol.agents;

import dev.tidings.delivery.Disconnect;
import dev.tidings.delivery.Frame;
import dev.tidings.delivery.Sink;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A socket that takes everything at once, or nothing more while it is stalled.
 *
 * <p>Threads: one.
 */
final class FakeSink implements Sink {
    private final List<String> texts = new ArrayList<>();
    private final List<Frame> frames = new ArrayList<>();
    private boolean stalled;
    private @Nullable Completion held;
    private @Nullable Disconnect closed;

    @Override
    public void send(List<Frame> batch, Completion completion) {
        batch.forEach(frame -> texts.add(frame.text()));
        frames.addAll(batch);
        if (stalled) {
            held = completion;
        } else {
            completion.succeeded();
        }
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

    void stall() {
        stalled = true;
    }

    void drain() {
        stalled = false;
        Completion waiting = held;
        held = null;
        if (waiting != null) {
            waiting.succeeded();
        }
    }

    @Nullable
    Disconnect closed() {
        return closed;
    }

    /** What was sent since the last call of this. */
    List<Frame> takeFrames() {
        List<Frame> taken = List.copyOf(frames);
        frames.clear();
        return taken;
    }

    /** What was sent since the last call. */
    List<String> take() {
        List<String> taken = List.copyOf(texts);
        texts.clear();
        return taken;
    }
}
