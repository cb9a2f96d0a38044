package dev.tidings.spi;

/**
 * The application is about to stop: its sockets are still open, its names, data sources and threads still work.
 *
 * <p>A CDI event, fired synchronously by a host that closes its sockets itself before it stops the application. Tidings
 * says from then on that it is not ready, and lets its sockets go over {@code tidings.drain.period}. In a servlet
 * container nobody needs to fire it.
 *
 * <p>Threads: immutable.
 */
public record ApplicationStopping() {}
