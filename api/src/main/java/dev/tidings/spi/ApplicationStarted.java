package dev.tidings.spi;

/**
 * The application is up: its names, data sources and threads may be used from now on.
 *
 * <p>A CDI event, fired once and synchronously. The tables are made by an observer with the priority
 * {@code LIBRARY_BEFORE}, the engine is started by one with {@code LIBRARY_AFTER}; an application that prepares
 * something for Tidings does it in between.
 *
 * <p>CDI has an event of its own for this ({@code @Initialized(ApplicationScoped.class)}), but Payara fires it for the
 * jars of a WAR before the WAR's names exist.
 *
 * <p>Threads: immutable.
 */
public record ApplicationStarted() {}
