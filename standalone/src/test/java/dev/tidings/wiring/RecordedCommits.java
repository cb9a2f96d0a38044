package dev.tidings.wiring;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.spi.AfterBeanDiscovery;
import jakarta.enterprise.inject.spi.Extension;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Stands in for Tidings behind the observer of commits: keeps what it was told, one list a commit.
 *
 * <p>Threads: any.
 */
public final class RecordedCommits implements Extension {
    private final List<List<?>> commits = new CopyOnWriteArrayList<>();
    // Volatile: set by a test, read by whoever commits.
    private volatile Consumer<List<?>> then = events -> {};

    /** The classes that a container needs beside this extension. */
    public static Class<?>[] beans() {
        return new Class<?>[] {CommitObserver.class, TransactionEvents.class};
    }

    void add(@Observes AfterBeanDiscovery beans) {
        beans.<AfterCommit>addBean()
                .id("dev.tidings.test.recorded-commits")
                .types(AfterCommit.class, Object.class)
                .scope(ApplicationScoped.class)
                .createWith(context -> (AfterCommit) events -> {
                    commits.add(List.copyOf(events));
                    then.accept(events);
                });
    }

    /** What was told so far. */
    public List<List<?>> all() {
        return List.copyOf(commits);
    }

    /** What happens when a commit was told. */
    public void then(Consumer<List<?>> action) {
        then = action;
    }
}
