/**
 * Puts the parts together in a CDI container: configuration, threads, timers, the observer of committed events.
 *
 * <p>The only package that knows all others; nothing depends on it.
 */
@NullMarked
package dev.tidings.wiring;

import org.jspecify.annotations.NullMarked;
