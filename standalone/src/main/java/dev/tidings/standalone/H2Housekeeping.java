package dev.tidings.standalone;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.h2.engine.Session;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.h2.mvstore.MVStore;

/**
 * Gives back what dead versions hold in an H2 file.
 *
 * <p>H2 itself does that in the thread that writes what commits have left. With {@code WRITE_DELAY=0} each commit writes
 * for itself and there is no such thread: the file, and what H2 keeps in memory of its chunks, would grow with every
 * commit until the process ends.
 *
 * <p>Threads: one of its own.
 */
final class H2Housekeeping implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(H2Housekeeping.class.getName());
    private static final int ROUND_SECONDS = 1;
    private static final int STOP_SECONDS = 10;

    // What is written anew holds up commits meanwhile: a little in each round.
    private static final int LEAST_FILL_PERCENT = 50;
    private static final int ROUND_BYTES = 4 << 20;

    private final DataSource database;
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(ServerThreads.daemons("h2"));

    private H2Housekeeping(DataSource database) {
        this.database = database;
    }

    /** Begins, if the database is an H2 file that this process has open. */
    static Optional<H2Housekeeping> start(DataSource database) {
        try (Connection connection = database.getConnection()) {
            if (store(connection).isEmpty()) {
                return Optional.empty();
            }
        } catch (SQLException e) {
            throw new StartFailure("the database cannot be reached", e);
        }
        H2Housekeeping housekeeping = new H2Housekeeping(database);
        housekeeping.thread.scheduleWithFixedDelay(housekeeping::round, ROUND_SECONDS, ROUND_SECONDS, TimeUnit.SECONDS);
        return Optional.of(housekeeping);
    }

    private void round() {
        try {
            tidy(database);
        } catch (SQLException | RuntimeException trouble) {
            LOG.log(System.Logger.Level.DEBUG, "the database's file is tidied later");
        }
    }

    /** One round. Blocks on the file. */
    static void tidy(DataSource database) throws SQLException {
        try (Connection connection = database.getConnection()) {
            store(connection).ifPresent(H2Housekeeping::tidy);
        }
    }

    private static void tidy(MVStore store) {
        store.getFileStore().dropUnusedChunks();
        store.compact(LEAST_FILL_PERCENT, ROUND_BYTES);
    }

    private static Optional<MVStore> store(Connection connection) throws SQLException {
        if (!connection.isWrapperFor(JdbcConnection.class)) {
            return Optional.empty();
        }
        Session session = connection.unwrap(JdbcConnection.class).getSession();
        return session instanceof SessionLocal local
                ? Optional.of(local.getDatabase().getStore().getMvStore()).filter(store -> store.getFileStore() != null)
                : Optional.empty();
    }

    /** Waits for the round that is under way. */
    @Override
    public void close() {
        thread.shutdown();
        try {
            if (!thread.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
                LOG.log(System.Logger.Level.WARNING, "the database's file is still being tidied");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
