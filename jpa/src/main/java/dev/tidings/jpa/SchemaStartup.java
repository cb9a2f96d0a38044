package dev.tidings.jpa;

import dev.tidings.spi.ApplicationStarted;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.interceptor.Interceptor;
import java.util.Optional;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.sql.DataSource;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;

/**
 * Prepares the tables before anything else of the application starts, and sees that the entity manager finds them.
 *
 * <p>Keys: {@code tidings.jpa.migrations} (migrate, validate or off; default migrate) and {@code tidings.jpa.datasource}
 * (a JNDI name, default {@code java:comp/DefaultDataSource}), which a data source bean marked {@link TidingsDb} goes
 * before. Not final, for the container's proxy. Threads: the starting one.
 */
@ApplicationScoped
class SchemaStartup {

    private static final String OTHER_DATABASE =
            "the entity manager marked @TidingsDb does not see the tables of the data source on which they were made"
                    + " (tidings.jpa.datasource); both must be of one database";

    private final Instance<DataSource> marked;
    private final Database database;
    private final TransactionBoundary transactions;

    @SuppressWarnings("NullAway") // the proxy's constructor
    protected SchemaStartup() {
        this(null, null, null);
    }

    @Inject
    SchemaStartup(@TidingsDb Instance<DataSource> marked, Database database, TransactionBoundary transactions) {
        this.marked = marked;
        this.database = database;
        this.transactions = transactions;
    }

    void start(@Observes @Priority(Interceptor.Priority.LIBRARY_BEFORE) ApplicationStarted event) {
        Config config = ConfigProvider.getConfig();
        TidingsSchema.Mode mode = TidingsSchema.Mode.ofCode(
                config.getOptionalValue("tidings.jpa.migrations", String.class).orElse("migrate"));
        if (mode != TidingsSchema.Mode.OFF) {
            DataSource dataSource = dataSource(config);
            TidingsSchema.prepare(dataSource, mode);
            requireSameDatabase(dataSource);
        }
    }

    /** What is appended goes through the entity manager: a wrong one would be noticed by the first who appends. */
    private void requireSameDatabase(DataSource dataSource) {
        String made = TidingsSchema.epoch(dataSource);
        Optional<String> seen;
        try {
            seen = transactions
                    .requiresNew(() -> database.sql().row("select epoch from tidings_epoch where id = 1"))
                    .map(row -> row.text(0));
        } catch (RuntimeException e) {
            throw new SchemaException(OTHER_DATABASE, e);
        }
        if (!seen.equals(Optional.of(made))) {
            throw new SchemaException(OTHER_DATABASE);
        }
    }

    @SuppressWarnings("BanJNDI") // the name is a constant or the operator's, never a peer's
    private DataSource dataSource(Config config) {
        if (marked.isResolvable()) {
            return marked.get();
        }
        String name =
                config.getOptionalValue("tidings.jpa.datasource", String.class).orElse("java:comp/DefaultDataSource");
        try {
            return InitialContext.doLookup(name);
        } catch (NamingException e) {
            throw new SchemaException("there is no data source of this name (tidings.jpa.datasource): " + name, e);
        }
    }
}
