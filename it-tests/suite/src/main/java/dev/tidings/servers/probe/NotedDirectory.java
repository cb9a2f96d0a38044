package dev.tidings.servers.probe;

import dev.tidings.AgentInfo;
import dev.tidings.SessionInfo;
import dev.tidings.Versioned;
import dev.tidings.spi.Directory;
import jakarta.annotation.Priority;
import jakarta.decorator.Decorator;
import jakarta.decorator.Delegate;
import jakarta.enterprise.inject.Any;
import jakarta.inject.Inject;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Notes calls of this port. Threads: any. Public for the container; not API. */
@Decorator
@Priority(100)
public abstract class NotedDirectory implements Directory {

    @Inject
    @Delegate
    @Any
    private @Nullable Directory real;

    @Inject
    private @Nullable PortDiary diary;

    @Override
    public Optional<Versioned<AgentInfo>> agent(String agentId) {
        Objects.requireNonNull(diary).note("Directory");
        return Objects.requireNonNull(real).agent(agentId);
    }

    @Override
    public Optional<Versioned<SessionInfo>> session(String sessionId) {
        Objects.requireNonNull(diary).note("Directory");
        return Objects.requireNonNull(real).session(sessionId);
    }
}
