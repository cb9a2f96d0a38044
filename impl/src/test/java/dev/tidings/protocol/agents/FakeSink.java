package dev.tidings.protocol.agents;

import dev.tidings.delivery.Disconnect;
import dev.tidings.delivery.Frame;
import dev.tidings.delivery.RecordingSink;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A socket of which the test takes what was sent since it took last.
 *
 * <p>Threads: one.
 */
final class FakeSink extends RecordingSink {
    private final List<Frame> sent = new ArrayList<>();

    @Override
    public void send(List<Frame> batch, Completion completion) {
        sent.addAll(batch);
        super.send(batch, completion);
    }

    @Nullable
    Disconnect closed() {
        return closed;
    }

    /** What was sent since the last call of this. */
    List<Frame> takeFrames() {
        List<Frame> taken = List.copyOf(sent);
        sent.clear();
        return taken;
    }

    /** What was sent since the last call. */
    List<String> take() {
        List<String> taken = List.copyOf(frames);
        frames.clear();
        return taken;
    }
}
