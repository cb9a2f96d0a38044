package dev.tidings.wiring;

import dev.tidings.spi.ApplicationStarted;
import jakarta.enterprise.event.Event;
import jakarta.inject.Inject;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;

/**
 * Starts Tidings with the web application that it is part of, and stops it while the application's threads still run.
 *
 * <p>Public for the container; not API.
 */
@WebListener
public class WebApplicationLife implements ServletContextListener {

    // Not through a constructor: a container may make its listeners with the one that has no parameters.
    @Inject
    private Event<ApplicationStarted> started;

    @Inject
    private Ports ports;

    @Inject
    private TidingsBeans tidings;

    @Override
    public void contextInitialized(ServletContextEvent event) {
        // This thread has no request context, and whoever starts now may ask beans that need one.
        ports.requestScope().around(() -> started.fire(new ApplicationStarted()));
    }

    @Override
    public void contextDestroyed(ServletContextEvent event) {
        tidings.stop();
    }
}
