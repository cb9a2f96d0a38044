package dev.tidings.wiring;

import jakarta.inject.Inject;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;

/**
 * Starts Tidings when the web application has started, and stops it before it ends.
 *
 * <p>A servlet listener and not an observer of CDI's application scope: some containers tell a jar in WEB-INF/lib of that
 * scope before the application's names and entity managers are there, and never again.
 *
 * <p>Public for the container; not API. Threads: the container's, one after the other.
 */
@WebListener
public class TidingsLifecycle implements ServletContextListener {
    // The container makes the listener and fills it in before the first call.
    @Inject
    @SuppressWarnings("NullAway.Init")
    private TidingsBeans tidings;

    /** For the container. */
    public TidingsLifecycle() {}

    @Override
    public void contextInitialized(ServletContextEvent event) {
        tidings.start();
    }

    @Override
    public void contextDestroyed(ServletContextEvent event) {
        tidings.stop();
    }
}
