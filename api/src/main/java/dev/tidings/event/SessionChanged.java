package dev.tidings.event;

import dev.tidings.SessionInfo;

/**
 * The row of a session was written: made, or changed.
 *
 * <p>Fired in the transaction that wrote it, by whoever wrote it. Latest wins, by version (law 4).
 *
 * <p>Threads: immutable.
 *
 * @param value the row as written
 * @param version the row's version, raised under its lock
 * @param created whether the row was made by this write
 */
public record SessionChanged(SessionInfo value, long version, boolean created) {}
