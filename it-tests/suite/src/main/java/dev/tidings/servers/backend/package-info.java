/**
 * What a backend is promised in every server: its transactions, its scopes, its threads, its libraries, its tables.
 *
 * <p>Driven from outside, over HTTP and WebSocket. It must not know which server it talks to.
 */
@NullMarked
package dev.tidings.servers.backend;

import org.jspecify.annotations.NullMarked;
