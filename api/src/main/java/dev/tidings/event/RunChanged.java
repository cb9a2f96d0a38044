package dev.tidings.event;

import dev.tidings.RunInfo;

/**
 * The row of a run was written: made, or changed.
 *
 * <p>Fired in the transaction that wrote it, by whoever wrote it. Latest wins, by version (law 4).
 *
 * <p>Threads: immutable.
 *
 * @param value the row as written
 * @param version the row's version, raised under its lock
 * @param created whether the row was made by this write
 */
public record RunChanged(RunInfo value, long version, boolean created) {}
