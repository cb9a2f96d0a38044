package dev.tidings.servers.probe;

import dev.tidings.spi.RunLedger;
import jakarta.annotation.Priority;
import jakarta.decorator.Decorator;
import jakarta.decorator.Delegate;
import jakarta.enterprise.inject.Any;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Notes calls of this port. Threads: any. Public for the container; not API. */
@Decorator
@Priority(100)
public abstract class NotedLedger implements RunLedger {

    @Inject
    @Delegate
    @Any
    private @Nullable RunLedger real;

    @Inject
    private @Nullable PortDiary diary;

    @Override
    public void renewLease(String nodeId, Duration lease) {
        Objects.requireNonNull(diary).note("RunLedger");
        Objects.requireNonNull(real).renewLease(nodeId, lease);
    }

    @Override
    public List<Orphan> orphans(String nodeId) {
        Objects.requireNonNull(diary).note("RunLedger");
        return Objects.requireNonNull(real).orphans(nodeId);
    }
}
