package dev.tidings.servers.blackbox;

import java.net.URI;

/**
 * A server with the WAR in it.
 *
 * <p>Threads: one at a time.
 */
public interface BlackBoxServer extends AutoCloseable {

    /** Where the web application is, without a slash at the end. */
    URI base();

    /** Takes the web application away and brings it back, over the same data. */
    void restart();

    @Override
    void close();
}
