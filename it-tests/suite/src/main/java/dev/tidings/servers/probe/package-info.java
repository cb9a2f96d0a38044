/**
 * What the tests put into a backend's WAR: callers of every kind, listeners that fail, and a diary of the threads and
 * scopes in which ports are called.
 *
 * <p>It runs in the server. It must not know the tests that ask it.
 */
@NullMarked
package dev.tidings.servers.probe;

import org.jspecify.annotations.NullMarked;
