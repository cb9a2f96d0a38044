package dev.tidings.wiring;

import dev.tidings.spi.AgentRunner;
import dev.tidings.spi.RunContext;
import jakarta.enterprise.context.control.RequestContextController;
import jakarta.enterprise.inject.Instance;

/** The application's runner with a request context around each run: its thread is ours, and has none. */
final class RequestScopedRunner implements AgentRunner {
    private final AgentRunner runner;
    private final Instance<RequestContextController> contexts;

    RequestScopedRunner(AgentRunner runner, Instance<RequestContextController> contexts) {
        this.runner = runner;
        this.contexts = contexts;
    }

    @Override
    public void run(RunContext run) throws Exception {
        RequestContextController context = contexts.get();
        try {
            runWithin(context, run);
        } finally {
            // A dependent bean lives as long as what it was got from, which is as long as the application.
            contexts.destroy(context);
        }
    }

    private void runWithin(RequestContextController context, RunContext run) throws Exception {
        boolean mine = context.activate();
        try {
            runner.run(run);
        } finally {
            if (mine) {
                context.deactivate();
            }
        }
    }
}
