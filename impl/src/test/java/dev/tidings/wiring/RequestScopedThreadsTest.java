package dev.tidings.wiring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import jakarta.enterprise.context.control.RequestContextController;
import jakarta.enterprise.inject.Instance;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** What ports and runners find on the threads that call them. */
class RequestScopedThreadsTest {
    private final HandBeans beans = new HandBeans();
    private final HandThreads plain = new HandThreads();
    private final List<String> done = new ArrayList<>();
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

    private final Threads threads = new RequestScopedThreads(plain, new RequestScope(beans.only(controller)));

    @Test
    void tasks_ofWorkersAndRunners_haveAContextEach() {
        threads.workers().execute(() -> done.add("work"));
        threads.runners().execute(() -> done.add("run"));
        assertEquals(List.of(), done);

        plain.runAll();

        assertEquals(List.of("activate", "work", "deactivate", "activate", "run", "deactivate"), done);
    }

    @Test
    void task_fails_contextEndsAndTheFailureIsTheTasks() {
        IllegalStateException failure = new IllegalStateException("as the test wants");
        threads.workers().execute(() -> {
            throw failure;
        });
        assertSame(failure, assertThrows(IllegalStateException.class, plain::runAll));
        assertEquals(List.of("activate", "deactivate"), done);
    }

    /** Whoever handed it over waits for its end: it runs all the same, and what needs a context says so itself. */
    @Test
    @SuppressWarnings("unchecked")
    void task_noContextToBeHad_runsAllTheSame() {
        Instance<RequestContextController> none = HandThreads.proxy(Instance.class, (name, arguments) -> {
            throw new IllegalStateException("the container stops");
        });
        new RequestScopedThreads(plain, new RequestScope(none)).workers().execute(() -> done.add("work"));
        plain.runAll();
        assertEquals(List.of("work"), done);
    }

    @Test
    void task_contextOfSomebodyElse_isLeftAlone() {
        alreadyActive = true;
        threads.workers().execute(() -> done.add("work"));
        plain.runAll();
        assertEquals(List.of("activate", "work"), done);
    }

    /** One controller a task would pile up for as long as the application lives. */
    @Test
    void task_ended_controllerIsGivenBack() {
        threads.workers().execute(() -> assertEquals(List.of(), beans.destroyed));
        threads.runners().execute(() -> {
            throw new IllegalStateException("as the test wants");
        });
        assertThrows(IllegalStateException.class, plain::runAll);
        assertEquals(List.of(controller, controller), beans.destroyed);
    }

    /** Whoever hands over learns that nobody takes it, and no context is left behind. */
    @Test
    void execute_full_isRefusedToWhoeverAsks() {
        plain.rejects = true;
        assertThrows(RejectedExecutionException.class, () -> threads.workers().execute(() -> done.add("work")));
        assertThrows(RejectedExecutionException.class, () -> threads.runners().execute(() -> done.add("run")));
        assertEquals(List.of(), done);
    }

    /** What is shown live asks no bean, and pays for no context. */
    @Test
    void pumpsAndTimers_areThePlainOnes() {
        threads.pumps().execute(() -> done.add("pump"));
        plain.pumping.forEach(Runnable::run);
        assertEquals(List.of("pump"), done);
        assertSame(plain.sockets().getClass(), threads.sockets().getClass());
    }
}
