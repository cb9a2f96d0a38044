package dev.tidings.jpa;

import dev.tidings.spi.ApplicationStarted;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.interceptor.Interceptor;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.sql.DataSource;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;

/**
 * Prepares the tables before anything else of the application starts.
 *
 * <p>Keys: {@code tidings.jpa.migrations} (migrate, validate or off; default migrate) and {@code tidings.jpa.datasource}
 * (a JNDI name, default {@code java:comp/DefaultDataSource}), which a data source bean marked {@link TidingsDb} goes
 * before. Not final, for the container's proxy. Threads: the starting one.
 */
@ApplicationScoped
class SchemaStartup {

    private final Instance<DataSource> marked;

    @SuppressWarnings("NullAway") // the proxy's constructor
    protected SchemaStartup() {
        this(null);
    }

    @Inject
    SchemaStartup(@TidingsDb Instance<DataSource> marked) {
        this.marked = marked;
    }

    void start(@Observes @Priority(Interceptor.Priority.LIBRARY_BEFORE) ApplicationStarted event) {
        Config config = ConfigProvider.getConfig();
        TidingsSchema.Mode mode = TidingsSchema.Mode.ofCode(
                config.getOptionalValue("tidings.jpa.migrations", String.class).orElse("migrate"));
        if (mode != TidingsSchema.Mode.OFF) {
            TidingsSchema.prepare(dataSource(config), mode);
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
