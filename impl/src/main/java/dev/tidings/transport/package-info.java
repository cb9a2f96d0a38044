/**
 * The one writer of a socket, the portable way: nothing but jakarta.websocket.
 *
 * <p>What it must not know: what the frames say, who gets them, which protocol they belong to.
 */
@NullMarked
package dev.tidings.transport;

import org.jspecify.annotations.NullMarked;
