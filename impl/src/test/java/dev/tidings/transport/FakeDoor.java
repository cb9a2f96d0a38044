package dev.tidings.transport;

import dev.tidings.delivery.Sink;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A door that notes what it is given and ends it when the test says so.
 *
 * <p>Threads: one.
 */
final class FakeDoor implements Door {
    final List<String> writes = new ArrayList<>();
    Sink.@Nullable Completion waiting;
    boolean throwsOnSend;
    Error fails = new NoClassDefFoundError("of another version");
    int dropped;

    @Override
    public void send(Burst burst, Sink.Completion completion) {
        if (throwsOnSend) {
            throw fails;
        }
        StringBuilder write = new StringBuilder(burst.text() ? "text" : "binary");
        burst.messages()
                .forEach(message -> write.append(' ').append(StandardCharsets.UTF_8.decode(message.duplicate())));
        writes.add(write.toString());
        waiting = completion;
    }

    @Override
    public void ping(Sink.Completion completion) {
        writes.add("ping");
        waiting = completion;
    }

    @Override
    public void drop() {
        dropped++;
    }

    Sink.Completion waiting() {
        Sink.Completion known = waiting;
        if (known == null) {
            throw new AssertionError("nothing is being sent");
        }
        return known;
    }
}
