package dev.tidings.jpa;

import dev.tidings.spi.ApplicationStarted;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.transaction.TransactionSynchronizationRegistry;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import org.jspecify.annotations.Nullable;

/**
 * The entity manager and the transaction of the calling thread.
 *
 * <p>Not final and with a second constructor for the container's proxy. Threads: any.
 */
@ApplicationScoped
class Database {

    private static final System.Logger LOG = System.getLogger(Database.class.getName());
    private static final String JNDI_NAME = "java:comp/TransactionSynchronizationRegistry";

    private final Instance<EntityManager> entityManagerBeans;
    private final Instance<TransactionSynchronizationRegistry> registryBeans;
    // Volatile: written once, by the first that asks; written again by a race, it does the same.
    private volatile @Nullable Sql sql;
    // Volatile: written once, by the first that asks; written again by a race, it is the same.
    private volatile @Nullable Dialect dialect;
    // Volatile: written once, by the first that asks; written again by a race, it does the same.
    private volatile @Nullable BulkSql bulk;
    // Volatile: written once, by the first that asks; written again by a race, it is the same object.
    private volatile @Nullable TransactionSynchronizationRegistry registry;

    @SuppressWarnings("NullAway") // the proxy's constructor
    protected Database() {
        this(null, null);
    }

    /**
     * Neither is resolved yet: while Payara starts an application, its persistence contexts have no names for a while.
     */
    @Inject
    Database(
            @TidingsDb Instance<EntityManager> entityManagerBeans,
            Instance<TransactionSynchronizationRegistry> registryBeans) {
        this.entityManagerBeans = entityManagerBeans;
        this.registryBeans = registryBeans;
    }

    /** Finds the registry while the thread has the application's names; threads of other pools may not have them. */
    void start(@Observes ApplicationStarted event) {
        try {
            registry();
        } catch (IllegalStateException e) {
            LOG.log(System.Logger.Level.DEBUG, "the transaction registry is not known yet; it is looked up later");
        }
    }

    Sql sql() {
        Sql found = sql;
        if (found == null) {
            found = new Sql(entityManagerBeans.get());
            sql = found;
        }
        return found;
    }

    /** Which database it is; asked once, in the caller's transaction. */
    Dialect dialect() {
        Dialect found = dialect;
        if (found == null) {
            found = Dialect.ofCode(sql().row("select dialect from tidings_epoch where id = 1")
                    .orElseThrow(() -> new IllegalStateException("the database was not migrated"))
                    .text(0));
            dialect = found;
        }
        return found;
    }

    /** Statements over many rows. */
    BulkSql bulk() {
        BulkSql found = bulk;
        if (found == null) {
            found = dialect() == Dialect.POSTGRESQL
                    ? new PostgresqlBulkSql(sql())
                    : new PortableBulkSql(sql(), dialect());
            bulk = found;
        }
        return found;
    }

    TransactionSynchronizationRegistry registry() {
        TransactionSynchronizationRegistry found = registry;
        if (found == null) {
            found = registryBeans.isResolvable() ? registryBeans.get() : lookUp();
            registry = found;
        }
        return found;
    }

    @SuppressWarnings("BanJNDI") // the name is a constant or the operator's, never a peer's
    private static TransactionSynchronizationRegistry lookUp() {
        try {
            return InitialContext.doLookup(JNDI_NAME);
        } catch (NamingException e) {
            throw new IllegalStateException("there is neither a bean nor a name for the transaction registry", e);
        }
    }
}
