package dev.tidings.jpa;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import javax.sql.DataSource;

/**
 * The tables of Tidings in a database: made, brought up to date, or checked.
 *
 * <p>In a container this happens by itself when the application starts, as {@code tidings.jpa.migrations} says, on the
 * data source marked {@link TidingsDb} or named by {@code tidings.jpa.datasource}. A program of its own calls
 * {@link #prepare} before anything uses the ports.
 *
 * <p>Threads: safe; nodes that start at the same time wait for each other.
 */
public final class TidingsSchema {

    private TidingsSchema() {}

    /** What to do with the tables; the word in the configuration is the name in lower case. */
    public enum Mode {
        /** Make what is missing, then check. */
        MIGRATE,
        /** Check only: for operators who run the scripts themselves. */
        VALIDATE,
        /** Nothing. */
        OFF;

        /**
         * The mode of a word.
         *
         * @throws IllegalArgumentException if it is none, with the words that there are
         */
        public static Mode ofCode(String code) {
            for (Mode mode : values()) {
                if (mode.name().toLowerCase(Locale.ROOT).equals(code)) {
                    return mode;
                }
            }
            throw new IllegalArgumentException("tidings.jpa.migrations is migrate, validate or off, not " + code);
        }
    }

    /**
     * Does with the tables what the mode says.
     *
     * <p>It uses two plain connections of the data source at once, outside any JTA transaction: one holds the lock, one
     * works.
     *
     * @throws SchemaException if the tables are not as this version needs them, or the database failed
     */
    public static void prepare(DataSource dataSource, Mode mode) {
        if (mode == Mode.OFF) {
            return;
        }
        Migrator migrator = new Migrator(dataSource, Migration.ALL);
        try {
            if (mode == Mode.MIGRATE) {
                migrator.migrate();
            } else {
                migrator.validate();
            }
        } catch (SQLException e) {
            throw new SchemaException("the database failed while its tables were made or checked", e);
        }
    }

    /** Names the history of the tables that the data source sees. */
    static String epoch(DataSource dataSource) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("select epoch from tidings_epoch where id = 1")) {
            if (result.next()) {
                return result.getString(1);
            }
        } catch (SQLException e) {
            throw new SchemaException("the database failed while its tables were checked", e);
        }
        throw new SchemaException("the tables of Tidings have no epoch");
    }
}
