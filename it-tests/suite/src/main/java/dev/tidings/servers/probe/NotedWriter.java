package dev.tidings.servers.probe;

import dev.tidings.NewEntry;
import dev.tidings.StreamKey;
import dev.tidings.spi.EventWriter;
import dev.tidings.spi.RunFence;
import jakarta.annotation.Priority;
import jakarta.decorator.Decorator;
import jakarta.decorator.Delegate;
import jakarta.enterprise.inject.Any;
import jakarta.inject.Inject;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Notes calls of this port. Threads: any. Public for the container; not API. */
@Decorator
@Priority(100)
public abstract class NotedWriter implements EventWriter {

    @Inject
    @Delegate
    @Any
    private @Nullable EventWriter real;

    @Inject
    private @Nullable PortDiary diary;

    @Override
    public void append(StreamKey stream, NewEntry entry, @Nullable RunFence fence) {
        Objects.requireNonNull(diary).note("EventWriter");
        Objects.requireNonNull(real).append(stream, entry, fence);
    }
}
