package dev.tidings.standalone;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.spi.AfterBeanDiscovery;
import jakarta.enterprise.inject.spi.Extension;
import jakarta.persistence.EntityManager;
import jakarta.transaction.TransactionScoped;
import java.util.concurrent.ScheduledExecutorService;
import javax.sql.DataSource;

/**
 * What a host application gives Tidings, as CDI beans: an entity manager for each transaction, the data source for work
 * outside transactions (migrations), and threads.
 *
 * <p>The transaction manager, its registry and {@code UserTransaction} are beans already, of Narayana and Weld.
 */
final class HostBeans implements Extension {
    private final Database database;
    private final ScheduledExecutorService threads;

    HostBeans(Database database, ScheduledExecutorService threads) {
        this.database = database;
        this.threads = threads;
    }

    void add(@Observes AfterBeanDiscovery beans) {
        beans.<EntityManager>addBean()
                .id("dev.tidings.standalone.entity-manager")
                .types(EntityManager.class, Object.class)
                .scope(TransactionScoped.class)
                .createWith(context -> database.entityManagers().createEntityManager())
                .destroyWith((entityManager, context) -> closeIfOpen(entityManager));
        beans.<DataSource>addBean()
                .id("dev.tidings.standalone.data-source")
                .types(DataSource.class, Object.class)
                .scope(ApplicationScoped.class)
                .createWith(context -> database.dataSource());
        beans.<ScheduledExecutorService>addBean()
                .id("dev.tidings.standalone.threads")
                .types(ScheduledExecutorService.class, Object.class)
                .scope(ApplicationScoped.class)
                .createWith(context -> threads);
    }

    private static void closeIfOpen(EntityManager entityManager) {
        if (entityManager.isOpen()) {
            entityManager.close();
        }
    }
}
