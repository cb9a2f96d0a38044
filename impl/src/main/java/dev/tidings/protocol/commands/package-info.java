/**
 * The session commands API: {@code /ws/sessions/{id}} and {@code /api/sessions}.
 *
 * <p>Every row of a session's log is one event, and a socket is a cursor over that log. What this package must not know:
 * how rows are stored, how runs are run, the other protocols.
 */
@NullMarked
package dev.tidings.protocol.commands;

import org.jspecify.annotations.NullMarked;
