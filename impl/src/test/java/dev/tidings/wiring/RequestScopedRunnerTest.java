package dev.tidings.wiring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tidings.spi.RunContext;
import jakarta.enterprise.context.control.RequestContextController;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestScopedRunnerTest {
    private final HandBeans beans = new HandBeans();
    private final List<String> done = new ArrayList<>();
    private final RunContext run = HandThreads.proxy(RunContext.class, (name, arguments) -> {
        throw new UnsupportedOperationException(name);
    });
    private boolean alreadyActive;

    private final RequestContextController controller = new RequestContextController() {
        @Override
        public boolean activate() {
            done.add("activate");
            return !alreadyActive;
        }

        @Override
        public void deactivate() {
            done.add("deactivate");
        }
    };

    private void run(dev.tidings.spi.AgentRunner runner) throws Exception {
        new RequestScopedRunner(runner, beans.only(controller)).run(run);
    }

    @Test
    void run_contextIsActiveAroundIt() throws Exception {
        run(given -> {
            assertSame(run, given);
            done.add("run");
        });
        assertEquals(List.of("activate", "run", "deactivate"), done);
    }

    @Test
    void run_fails_contextEndsAndTheFailureIsTheRunners() {
        Exception failure = new Exception("as the test wants");
        assertSame(
                failure,
                assertThrows(
                        Exception.class,
                        () -> run(given -> {
                            throw failure;
                        })));
        assertEquals(List.of("activate", "deactivate"), done);
    }

    @Test
    void run_contextOfSomebodyElse_isLeftAlone() throws Exception {
        alreadyActive = true;
        run(given -> done.add("run"));
        assertEquals(List.of("activate", "run"), done);
    }

    /** One controller a run would pile up for as long as the application lives. */
    @Test
    void run_ended_controllerIsGivenBack() throws Exception {
        run(given -> assertEquals(List.of(), beans.destroyed));
        assertThrows(
                Exception.class,
                () -> run(given -> {
                    throw new Exception("as the test wants");
                }));
        assertEquals(List.of(controller, controller), beans.destroyed);
    }
}
