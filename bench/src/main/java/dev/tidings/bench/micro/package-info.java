/**
 * Single parts of Tidings, measured with JMH in one process: {@code bench/run jmh}.
 *
 * <p>What it must not know: sockets. The figures compare a part with itself before a change; what a frame costs is measured
 * from outside.
 */
@NullMarked
package dev.tidings.bench.micro;

import org.jspecify.annotations.NullMarked;
