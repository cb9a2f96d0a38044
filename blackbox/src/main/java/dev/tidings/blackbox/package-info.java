/**
 * Tests of a running server from outside: a client that signs, a socket that keeps what it receives, and suites that any
 * server must pass.
 *
 * <p>What it must not know: what the server runs in, or anything behind its wire.
 */
@NullMarked
package dev.tidings.blackbox;

import org.jspecify.annotations.NullMarked;
