package dev.tidings.standalone;

import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.AgroalConnectionFactoryConfiguration.TransactionIsolation;
import io.agroal.api.configuration.supplier.AgroalConnectionFactoryConfigurationSupplier;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.agroal.api.security.NamePrincipal;
import io.agroal.api.security.SimplePassword;
import io.agroal.narayana.NarayanaTransactionIntegration;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Persistence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import javax.sql.DataSource;
import org.eclipse.microprofile.config.Config;
import org.hibernate.engine.transaction.jta.platform.internal.JBossStandAloneJtaPlatform;
import org.jspecify.annotations.Nullable;

/**
 * The connection pool and the entity manager factory, joined to Narayana.
 *
 * <p>An H2 file below the data directory, or whatever the command line or {@code tidings.standalone.jdbc-url} names; the
 * drivers of PostgreSQL and MariaDB are on the class path. Outside a transaction the pool gives ordinary auto-commit
 * connections.
 */
final class Database implements AutoCloseable {
    private static final String NAME = "tidings";
    private static final int POOL_SIZE = 32;
    private static final Duration ACQUISITION = Duration.ofSeconds(30);
    private static final int H2_ALREADY_OPEN = 90020;

    private final AgroalDataSource pool;
    private final EntityManagerFactory factory;

    private Database(AgroalDataSource pool, EntityManagerFactory factory) {
        this.pool = pool;
        this.factory = factory;
    }

    /** @throws StartFailure if the directory or the database cannot be used */
    static Database open(Path data, Options.OtherDatabase other, Config config) {
        AgroalDataSource pool = other.url()
                .or(() -> config.getOptionalValue("tidings.standalone.jdbc-url", String.class))
                .map(url -> pool(
                        url,
                        other.user()
                                .or(() -> config.getOptionalValue("tidings.standalone.jdbc-user", String.class))
                                .orElse(null),
                        config.getOptionalValue("tidings.standalone.jdbc-password", String.class)
                                .orElse(null)))
                // The user and the password are another database's: the file would open with them alone from then on.
                .orElseGet(() -> pool(fileUrl(data), null, null));
        try {
            tryOut(pool, data);
            closeToOthers(file(data));
            // Eagerly: made inside a first transaction, Hibernate's own connection would wait for that transaction.
            EntityManagerFactory factory = Persistence.createEntityManagerFactory(
                    "tidings",
                    Map.of(
                            "jakarta.persistence.jtaDataSource",
                            pool,
                            "hibernate.transaction.jta.platform",
                            new JBossStandAloneJtaPlatform()));
            return new Database(pool, factory);
        } catch (RuntimeException e) {
            pool.close();
            throw e;
        }
    }

    /** Makes the directory if it is missing, for its owner alone where there is such a thing. */
    static void prepare(Path data) {
        try {
            OwnerOnly.makeDirectory(data);
        } catch (IOException e) {
            throw new StartFailure("the data directory " + data + " cannot be made", e);
        }
        if (!Files.isWritable(data)) {
            throw new StartFailure("the data directory " + data + " cannot be written to");
        }
    }

    /** Whether there is no database that could be opened without making one. */
    static boolean isMissing(Path data, Config config) {
        return config.getOptionalValue("tidings.standalone.jdbc-url", String.class)
                        .isEmpty()
                && !Files.exists(file(data));
    }

    private static Path file(Path data) {
        return data.resolve(NAME + ".mv.db");
    }

    /** H2 makes its file for everybody; whose directory is not its owner's alone would have it read. */
    private static void closeToOthers(Path file) {
        if (!Files.exists(file)) {
            return;
        }
        try {
            OwnerOnly.restrict(file);
        } catch (IOException e) {
            throw new StartFailure("the database's file cannot be kept from other users: " + file, e);
        }
    }

    private static String fileUrl(Path data) {
        // WRITE_DELAY: without it H2 loses acknowledged commits when the process is killed. DB_CLOSE_ON_EXIT:
        // its own shutdown hook would close the file while our stop still uses it. async: an interrupt of a
        // thread that is at the file (of a runner's own query, or by the transaction manager) would close it
        // for everybody otherwise. OPTIMIZE_REUSE_RESULTS: while another connection's commit is on its way to the disk,
        // a query that was asked before would be answered with what it found then, though others see the commit.
        return "jdbc:h2:async:" + data.resolve(NAME)
                + ";WRITE_DELAY=0;LOCK_TIMEOUT=10000;DB_CLOSE_ON_EXIT=FALSE;OPTIMIZE_REUSE_RESULTS=FALSE";
    }

    private static AgroalDataSource pool(String url, @Nullable String user, @Nullable String password) {
        try {
            DriverManager.getDriver(url);
        } catch (SQLException e) {
            throw new StartFailure(
                    "there is no driver for this kind of database: H2, PostgreSQL and MariaDB have one", e);
        }
        AgroalDataSourceConfigurationSupplier configuration = new AgroalDataSourceConfigurationSupplier()
                .connectionPoolConfiguration(p -> p.maxSize(POOL_SIZE)
                        .acquisitionTimeout(ACQUISITION)
                        .transactionIntegration(
                                new NarayanaTransactionIntegration(Transactions.manager(), Transactions.registry()))
                        .connectionFactoryConfiguration(f -> login(f, user, password)
                                .jdbcUrl(url)
                                .jdbcTransactionIsolation(TransactionIsolation.READ_COMMITTED)));
        try {
            return AgroalDataSource.from(configuration);
        } catch (SQLException e) {
            throw new StartFailure("the database's connection pool cannot start", e);
        }
    }

    private static AgroalConnectionFactoryConfigurationSupplier login(
            AgroalConnectionFactoryConfigurationSupplier factory, @Nullable String user, @Nullable String password) {
        if (user != null) {
            factory.principal(new NamePrincipal(user));
        }
        if (password != null) {
            factory.credential(new SimplePassword(password));
        }
        return factory;
    }

    private static void tryOut(DataSource pool, Path data) {
        try (Connection connection = pool.getConnection()) {
            connection.isValid(1);
        } catch (SQLException e) {
            throw new StartFailure(whyNot(e, data), e);
        }
    }

    private static String whyNot(SQLException e, Path data) {
        if (isOpenElsewhere(e)) {
            return "the data directory " + data + " is used by another running server";
        }
        String state = e.getSQLState() == null ? "" : e.getSQLState();
        if (state.startsWith("28")) {
            return "the database refuses the user or the password";
        }
        return state.startsWith("08") ? "the database cannot be reached" : "the database cannot be opened";
    }

    private static boolean isOpenElsewhere(SQLException thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql && sql.getErrorCode() == H2_ALREADY_OPEN) {
                return true;
            }
        }
        return false;
    }

    DataSource dataSource() {
        return pool;
    }

    EntityManagerFactory entityManagers() {
        return factory;
    }

    @Override
    public void close() {
        factory.close();
        pool.close();
    }
}
