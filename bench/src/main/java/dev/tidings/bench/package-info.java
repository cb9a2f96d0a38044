/**
 * Measures a running server from outside: many sockets on one thread, every frame held to order and gaps, the server's
 * processor time read from the system. Floors and peers are measured the same way, so that every figure has its ratio.
 *
 * <p>What it must not know: the inside of what it measures. {@link dev.tidings.bench.BenchAppend} alone runs in the server.
 */
@NullMarked
package dev.tidings.bench;

import org.jspecify.annotations.NullMarked;
