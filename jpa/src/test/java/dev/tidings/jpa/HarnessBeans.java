package dev.tidings.jpa;

import dev.tidings.StreamKey;
import dev.tidings.event.EntriesStored;
import dev.tidings.event.SessionChanged;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.TransactionPhase;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.transaction.TransactionScoped;
import java.io.Serializable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What a host gives to the module, and what the tests see of it. */
@ApplicationScoped
class HarnessBeans {

    // Confined: written before the container starts, which publishes it.
    static @Nullable DataSource dataSource;
    static @Nullable EntityManagerFactory factory;

    @Produces
    @TidingsDb
    DataSource dataSource() {
        return Objects.requireNonNull(dataSource);
    }

    @Produces
    @TidingsDb
    @TransactionScoped
    EntityManager entityManager() {
        EntityManager created = Objects.requireNonNull(factory).createEntityManager();
        // The scope wants what it holds to be serializable, and EclipseLink's is not; nothing is ever passivated.
        return (EntityManager) Proxy.newProxyInstance(
                HarnessBeans.class.getClassLoader(),
                new Class<?>[] {EntityManager.class, Serializable.class},
                (proxy, method, arguments) -> {
                    try {
                        return method.invoke(created, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    void close(@Disposes @TidingsDb EntityManager entityManager) {
        if (entityManager.isOpen()) {
            entityManager.close();
        }
    }

    /** Records the events of committed transactions, and lets a test act while one completes, behind the numbering. */
    @ApplicationScoped
    static class Events {
        private final ConcurrentLinkedQueue<Object> delivered = new ConcurrentLinkedQueue<>();
        private final Map<StreamKey, Runnable> whileCompleting = new ConcurrentHashMap<>();

        List<Object> take() {
            List<Object> taken = new ArrayList<>();
            for (Object event = delivered.poll(); event != null; event = delivered.poll()) {
                taken.add(event);
            }
            return taken;
        }

        /** Does something once, when entries of the stream have been numbered and the transaction is not yet committed. */
        void onceNumbered(StreamKey stream, Runnable act) {
            whileCompleting.put(stream, act);
        }

        void numbered(@Observes(during = TransactionPhase.BEFORE_COMPLETION) EntriesStored event) {
            Runnable act = whileCompleting.remove(event.stream());
            if (act != null) {
                act.run();
            }
        }

        /** Does something once, while a transaction completes that made or changed the session and staged nothing. */
        void onceChanged(StreamKey session, Runnable act) {
            whileCompleting.put(session, act);
        }

        void changed(@Observes(during = TransactionPhase.BEFORE_COMPLETION) SessionChanged event) {
            Runnable act =
                    whileCompleting.remove(StreamKey.session(event.value().id()));
            if (act != null) {
                act.run();
            }
        }

        void committed(@Observes(during = TransactionPhase.AFTER_SUCCESS) Object event) {
            if (event.getClass().getPackageName().equals("dev.tidings.event")) {
                delivered.add(event);
            }
        }
    }
}
