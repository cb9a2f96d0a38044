package dev.tidings.servers.probe;

import dev.tidings.spi.AgentRunner;
import dev.tidings.spi.RunContext;
import jakarta.annotation.Priority;
import jakarta.decorator.Decorator;
import jakarta.decorator.Delegate;
import jakarta.enterprise.inject.Any;
import jakarta.inject.Inject;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Notes runs. Threads: any. Public for the container; not API. */
@Decorator
@Priority(100)
public abstract class NotedRunner implements AgentRunner {

    @Inject
    @Delegate
    @Any
    private @Nullable AgentRunner real;

    @Inject
    private @Nullable PortDiary diary;

    @Override
    public void run(RunContext run) throws Exception {
        Objects.requireNonNull(diary).note("AgentRunner");
        Objects.requireNonNull(real).run(run);
    }
}
