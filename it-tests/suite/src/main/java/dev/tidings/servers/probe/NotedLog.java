package dev.tidings.servers.probe;

import dev.tidings.Head;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.spi.EventLog;
import jakarta.annotation.Priority;
import jakarta.decorator.Decorator;
import jakarta.decorator.Delegate;
import jakarta.enterprise.inject.Any;
import jakarta.inject.Inject;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Notes calls of this port. Threads: any. Public for the container; not API. */
@Decorator
@Priority(100)
public abstract class NotedLog implements EventLog {

    @Inject
    @Delegate
    @Any
    private @Nullable EventLog real;

    @Inject
    private @Nullable PortDiary diary;

    @Override
    public Map<StreamKey, Head> heads(Collection<StreamKey> streams) {
        Objects.requireNonNull(diary).note("EventLog");
        return Objects.requireNonNull(real).heads(streams);
    }

    @Override
    public Head head(StreamKey stream) {
        Objects.requireNonNull(diary).note("EventLog");
        return Objects.requireNonNull(real).head(stream);
    }

    @Override
    public List<StoredEntry> read(StreamKey stream, long afterPosition, int maxEntries, int maxBytes) {
        Objects.requireNonNull(diary).note("EventLog");
        return Objects.requireNonNull(real).read(stream, afterPosition, maxEntries, maxBytes);
    }
}
