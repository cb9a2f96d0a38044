package dev.tidings.standalone;

import dev.tidings.demo.DemoAgent;
import dev.tidings.demo.DemoMemory;
import dev.tidings.jpa.TidingsDb;
import dev.tidings.spi.AgentRunner;
import dev.tidings.spi.SessionTools;
import dev.tidings.wiring.Threads;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Default;
import jakarta.enterprise.inject.spi.AfterBeanDiscovery;
import jakarta.enterprise.inject.spi.Extension;
import jakarta.enterprise.util.AnnotationLiteral;
import jakarta.persistence.EntityManager;
import jakarta.transaction.TransactionScoped;
import javax.sql.DataSource;

/**
 * What a host application gives Tidings, as CDI beans: an entity manager for each transaction, the data source for work
 * outside transactions (migrations), and threads.
 *
 * <p>The transaction manager, its registry and {@code UserTransaction} are beans already, of Narayana and Weld.
 */
final class HostBeans implements Extension {
    private static final TidingsDbLiteral TIDINGS_DB = new TidingsDbLiteral();

    /** The qualifier of what Tidings' own ports use. */
    private static final class TidingsDbLiteral extends AnnotationLiteral<TidingsDb> implements TidingsDb {
        private static final long serialVersionUID = 1L;
    }

    private final Database database;
    private final ServerThreads threads;

    HostBeans(Database database, ServerThreads threads) {
        this.database = database;
        this.threads = threads;
    }

    void add(@Observes AfterBeanDiscovery beans) {
        beans.<EntityManager>addBean()
                .id("dev.tidings.standalone.entity-manager")
                .types(EntityManager.class, Object.class)
                .addQualifiers(Default.Literal.INSTANCE, TIDINGS_DB)
                .scope(TransactionScoped.class)
                .createWith(context -> database.entityManagers().createEntityManager())
                .destroyWith((entityManager, context) -> closeIfOpen(entityManager));
        beans.<DataSource>addBean()
                .id("dev.tidings.standalone.data-source")
                .types(DataSource.class, Object.class)
                .addQualifiers(Default.Literal.INSTANCE, TIDINGS_DB)
                .scope(ApplicationScoped.class)
                .createWith(context -> database.dataSource());
        beans.<Threads>addBean()
                .id("dev.tidings.standalone.threads")
                .types(Threads.class, Object.class)
                .scope(ApplicationScoped.class)
                .createWith(context -> threads);
        beans.<AgentRunner>addBean()
                .id("dev.tidings.demo-agent")
                .types(AgentRunner.class, Object.class)
                .scope(ApplicationScoped.class)
                .createWith(context -> new DemoAgent());
        beans.<SessionTools>addBean()
                .id("dev.tidings.demo-memory")
                .types(SessionTools.class, Object.class)
                .scope(ApplicationScoped.class)
                .createWith(context -> new DemoMemory());
    }

    private static void closeIfOpen(EntityManager entityManager) {
        if (entityManager.isOpen()) {
            entityManager.close();
        }
    }
}
