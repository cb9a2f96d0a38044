/**
 * The delivery engine: streams with their windows, subscriptions that are cursors over them, and one pulling outbox a
 * socket.
 *
 * <p>One loop does everything: <em>send what comes after my cursor, wake me when there is more</em>. What this package
 * must not know: wire protocols, sockets, databases, any type of Jakarta. It sees the log through the port, a socket
 * through {@link dev.tidings.delivery.Sink}, and frames as bytes.
 */
@NullMarked
package dev.tidings.delivery;

import org.jspecify.annotations.NullMarked;
