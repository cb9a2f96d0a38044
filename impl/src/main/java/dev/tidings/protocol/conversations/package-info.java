/**
 * Conversation events for dashboards and chat clients: the sockets of {@code /ws} and {@code /conversations/{id}/ws}, and
 * {@code /events/recent}.
 *
 * <p>Domain events become numbered events of one feed, which the delivery engine reads like any log. What this package must
 * not know: how frames reach a socket, how windows and cursors work, how entries and numbers are stored, and the other
 * protocols.
 */
@NullMarked
package dev.tidings.protocol.conversations;

import org.jspecify.annotations.NullMarked;
