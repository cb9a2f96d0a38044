/**
 * What must be seen in every server: the sample backend, driven from outside over HTTP and WebSocket.
 *
 * <p>It must not know which server it talks to, nor how that one is started.
 */
@NullMarked
package dev.tidings.servers;

import org.jspecify.annotations.NullMarked;
