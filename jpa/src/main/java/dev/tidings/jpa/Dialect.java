package dev.tidings.jpa;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;

/** The databases, and everything in which their SQL differs beyond the migrations. */
enum Dialect {
    /** H2, 2.2 and later. */
    H2("cast(extract(epoch from current_timestamp) * 1000 as bigint)", "", 1, "", ""),
    /** PostgreSQL, 13 and later. */
    POSTGRESQL("cast(extract(epoch from statement_timestamp()) * 1000 as bigint)", "", 1_000, "", ""),
    /** MariaDB, 10.6 and later. */
    MARIADB(
            "cast(unix_timestamp(now(3)) * 1000 as signed)",
            " for update",
            64,
            " order by stream_id",
            " force index (primary)");

    private final String nowMillis;
    private final String newestRead;
    private final int headsAtOnce;
    private final String inOrderOfStreams;
    private final String byKey;

    Dialect(String nowMillis, String newestRead, int headsAtOnce, String inOrderOfStreams, String byKey) {
        this.nowMillis = nowMillis;
        this.newestRead = newestRead;
        this.headsAtOnce = headsAtOnce;
        this.inOrderOfStreams = inOrderOfStreams;
        this.byKey = byKey;
    }

    /** How many heads a statement may take. One where the database cannot be told in which order to lock rows. */
    int headsAtOnce() {
        return headsAtOnce;
    }

    /** What stands behind an update of several heads, so that it locks them in key order. */
    String inOrderOfStreams() {
        return inOrderOfStreams;
    }

    /**
     * What stands behind the name of a table of which a statement locks some rows by their keys. MariaDB may otherwise read all
     * of a small table, and waits at every row on its way that others have locked.
     */
    String byKey() {
        return byKey;
    }

    /**
     * What stands behind a query that must see what was committed before the lock which it relies on was given. H2 and
     * PostgreSQL look anew at each statement, or fail; MariaDB's default isolation shows what was there when the
     * transaction first looked, unless the query locks.
     */
    String newestRead() {
        return newestRead;
    }

    /**
     * A row {@code f} of the feed and its entry {@code e}, or nulls, as a source of rows. PostgreSQL joins each row with each
     * entry as long as it has no statistics, which may be a minute; a limit makes it look up one entry for each row.
     */
    String feedWithEntries() {
        String key = "e.stream_kind = 's' and e.stream_id = f.stream_id and e.position = f.position";
        return this == POSTGRESQL
                ? " from tidings_feed f left join lateral (select * from tidings_entry e where " + key
                        + " limit 1) e on true"
                : " from tidings_feed f left join tidings_entry e on " + key;
    }

    /**
     * Whether one query can sum up sizes and leave out the payloads beyond a limit. The others would copy all payloads for it
     * first.
     */
    boolean cutsPages() {
        return this == POSTGRESQL;
    }

    /**
     * How far behind its head the last number of a session in the feed is looked for first. H2 and MariaDB read all numbers that
     * may be the last one; PostgreSQL reads the last one.
     */
    long feedReach() {
        return this == POSTGRESQL ? Long.MAX_VALUE : 64;
    }

    /** The database's clock, in epoch milliseconds, as an expression. */
    String nowMillis() {
        return nowMillis;
    }

    /** The word that names the folder of the migrations, and the dialect in the database itself. */
    String code() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Dialect ofCode(String code) {
        return valueOf(code.toUpperCase(Locale.ROOT));
    }

    /**
     * The dialect of a connection.
     *
     * @throws SchemaException if there are no migrations for the database
     */
    static Dialect of(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        for (Dialect dialect : values()) {
            if (dialect.code().equals(product.toLowerCase(Locale.ROOT))) {
                return dialect;
            }
        }
        throw new SchemaException("there are no migrations for this database: " + product);
    }
}
