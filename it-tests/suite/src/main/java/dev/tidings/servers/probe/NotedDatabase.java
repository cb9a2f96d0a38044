package dev.tidings.servers.probe;

import dev.tidings.jpa.TidingsDb;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Alternative;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The desk's entity manager, which notes all work of Tidings in it. Threads: any. Public for the container; not API. */
@Alternative
@Priority(100)
@ApplicationScoped
public class NotedDatabase {

    @PersistenceContext(unitName = "desk")
    private @Nullable EntityManager real;

    @Inject
    private @Nullable PortDiary diary;

    /** In place of the desk's own. */
    @Produces
    @TidingsDb
    public EntityManager noted() {
        EntityManager target = Objects.requireNonNull(real);
        PortDiary notes = Objects.requireNonNull(diary);
        return (EntityManager) Proxy.newProxyInstance(
                NotedDatabase.class.getClassLoader(),
                new Class<?>[] {EntityManager.class},
                (self, method, arguments) -> {
                    notes.note("EntityManager");
                    try {
                        return method.invoke(target, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
