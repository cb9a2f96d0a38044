package dev.tidings.jpa;

import java.util.List;

/**
 * What a commit needs done to many rows, in few statements, as each database does it best.
 *
 * <p>Threads: safe; each call runs in the transaction of its thread.
 */
sealed interface BulkSql permits PortableBulkSql, PostgresqlBulkSql {

    /**
     * Raises several heads and locks them, one after the other in the order of their ids, so that no two transactions wait
     * for each other.
     *
     * @param kind the code of the streams' kind
     * @param steps the streams, in key order, no more than {@link Dialect#headsAtOnce}
     * @return the heads that exist, raised, as they are from now on: id, position, seq, agent
     * @throws dev.tidings.UnknownStreamException perhaps, if one of them does not exist
     */
    List<Row> raiseHeads(String kind, List<HeadStep> steps);

    /** The rights of the runs that the steps name, as they are once the heads are locked: stream, run, attempt, ended. */
    List<Row> rights(String kind, List<HeadStep> steps);

    /** Inserts rows, in as few statements as their size allows. */
    void insert(BulkTable table, List<Object[]> rows);
}
