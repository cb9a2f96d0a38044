package dev.tidings.jpa;

import com.arjuna.ats.internal.jta.transaction.arjunacore.TransactionSynchronizationRegistryImple;
import com.arjuna.ats.jta.TransactionManager;
import dev.tidings.spi.ApiKeys;
import dev.tidings.spi.ApiKeysWriter;
import dev.tidings.spi.ApplicationStarted;
import dev.tidings.spi.Approvals;
import dev.tidings.spi.Directory;
import dev.tidings.spi.DirectoryWriter;
import dev.tidings.spi.EventLog;
import dev.tidings.spi.EventWriter;
import dev.tidings.spi.Feed;
import dev.tidings.spi.Grants;
import dev.tidings.spi.GrantsWriter;
import dev.tidings.spi.Receipts;
import dev.tidings.spi.RunLedger;
import dev.tidings.spi.SignerAuthority;
import dev.tidings.spi.SignerWriter;
import dev.tidings.spi.Transactions;
import dev.tidings.testkit.Ports;
import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.AgroalConnectionFactoryConfiguration.TransactionIsolation;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.agroal.api.security.NamePrincipal;
import io.agroal.narayana.NarayanaTransactionIntegration;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Persistence;
import jakarta.transaction.SystemException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jboss.weld.environment.se.Weld;
import org.jboss.weld.environment.se.WeldContainer;

/**
 * The module's beans over a database, in Weld with Narayana, Agroal and a persistence provider.
 *
 * <p>Threads: safe; one harness at a time in a JVM.
 */
final class Harness implements Ports, AutoCloseable {

    private final AgroalDataSource dataSource;
    private final CountedStatements statements = new CountedStatements();
    private final EntityManagerFactory factory;
    private final WeldContainer container;
    private final HarnessBeans.Events events;

    private Harness(TestDatabase database, TestDatabase migrated, String unit) throws SQLException {
        dataSource = dataSource(database);
        factory = Persistence.createEntityManagerFactory(
                unit, Map.of("jakarta.persistence.jtaDataSource", statements.over(dataSource)));
        HarnessBeans.dataSource = migrated.equals(database) ? dataSource : dataSource(migrated);
        HarnessBeans.factory = factory;
        container = new Weld().addServices(new NarayanaTransactionServices()).initialize();
        // The bean SchemaStartup makes the tables.
        try {
            container.event().select(ApplicationStarted.class).fire(new ApplicationStarted());
        } catch (RuntimeException refused) {
            close();
            throw refused;
        }
        events = container.select(HarnessBeans.Events.class).get();
    }

    static Harness start(TestDatabase database, String unit) throws SQLException {
        return new Harness(database, database, unit);
    }

    /** With the tables made on another database than that of the persistence unit. */
    static Harness startWithTablesOn(TestDatabase migrated, TestDatabase database, String unit) throws SQLException {
        return new Harness(database, migrated, unit);
    }

    private static AgroalDataSource dataSource(TestDatabase database) throws SQLException {
        NarayanaTransactionIntegration integration = new NarayanaTransactionIntegration(
                TransactionManager.transactionManager(), new TransactionSynchronizationRegistryImple());
        return AgroalDataSource.from(new AgroalDataSourceConfigurationSupplier()
                .connectionPoolConfiguration(pool -> pool.maxSize(20)
                        .acquisitionTimeout(Duration.ofSeconds(30))
                        .transactionIntegration(integration)
                        .connectionFactoryConfiguration(connections -> connections
                                .jdbcUrl(database.url())
                                .principal(new NamePrincipal(database.user()))
                                .jdbcTransactionIsolation(TransactionIsolation.READ_COMMITTED))));
    }

    /** The pool, for SQL of the tests' own outside JTA. */
    AgroalDataSource dataSource() {
        return dataSource;
    }

    /** What the persistence provider runs. */
    CountedStatements statements() {
        return statements;
    }

    HarnessBeans.Events events() {
        return events;
    }

    private <T> T bean(Class<T> type) {
        return container.select(type).get();
    }

    @Override
    public EventLog log() {
        return bean(EventLog.class);
    }

    @Override
    public EventWriter writer() {
        return bean(EventWriter.class);
    }

    @Override
    public Directory directory() {
        return bean(Directory.class);
    }

    @Override
    public DirectoryWriter directoryWriter() {
        return bean(DirectoryWriter.class);
    }

    @Override
    public Grants grants() {
        return bean(Grants.class);
    }

    @Override
    public GrantsWriter grantsWriter() {
        return bean(GrantsWriter.class);
    }

    @Override
    public SignerAuthority signers() {
        return bean(SignerAuthority.class);
    }

    @Override
    public ApiKeys apiKeys() {
        return bean(ApiKeys.class);
    }

    @Override
    public ApiKeysWriter apiKeysWriter() {
        return bean(ApiKeysWriter.class);
    }

    @Override
    public Feed feed() {
        return bean(Feed.class);
    }

    @Override
    public RunLedger ledger() {
        return bean(RunLedger.class);
    }

    @Override
    public Approvals approvals() {
        return bean(Approvals.class);
    }

    @Override
    public Receipts receipts() {
        return bean(Receipts.class);
    }

    @Override
    public Transactions transactions() {
        return bean(Transactions.class);
    }

    @Override
    public void setRollbackOnly() {
        try {
            TransactionManager.transactionManager().setRollbackOnly();
        } catch (SystemException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public SignerWriter signerWriter() {
        return bean(SignerWriter.class);
    }

    @Override
    public List<Object> takeEvents() {
        return events.take();
    }

    @Override
    public void close() {
        container.close();
        factory.close();
        dataSource.close();
    }
}
