/**
 * The one writer of a socket: the portable way, with nothing but jakarta.websocket, or through a {@link
 * dev.tidings.transport.Door}, where the container has one; and what must be put right before a socket is open, in front of
 * containers that begin to read too early.
 *
 * <p>What it must not know: what the frames say, who gets them, which protocol they belong to.
 */
@NullMarked
package dev.tidings.transport;

import org.jspecify.annotations.NullMarked;
