package dev.tidings.wiring;

import dev.tidings.protocol.conversations.ConversationsDoor;
import dev.tidings.protocol.conversations.ConversationsEndpoint;
import dev.tidings.protocol.conversations.ConversationsFace;
import dev.tidings.protocol.conversations.ConversationsPaths;
import dev.tidings.protocol.conversations.RecentEventsServlet;
import dev.tidings.spi.ApplicationStarted;
import jakarta.enterprise.event.Event;
import jakarta.inject.Inject;
import jakarta.inject.Provider;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.annotation.WebListener;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.server.ServerContainer;
import jakarta.websocket.server.ServerEndpointConfig;

/**
 * Starts Tidings with the web application that it is part of, and stops it while the application's threads still run.
 *
 * <p>What stands at configured paths is registered here, and not at all while it is switched off: such a path is the
 * application's own.
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

    @Inject
    private ConversationsDoor conversations;

    @Inject
    private Provider<ConversationsFace> face;

    @Override
    public void contextInitialized(ServletContextEvent event) {
        if (conversations.door().enabled()) {
            register(event.getServletContext());
        }
        // This thread has no request context, and whoever starts now may ask beans that need one.
        ports.requestScope().around(() -> started.fire(new ApplicationStarted()));
    }

    private void register(ServletContext context) {
        ConversationsPaths paths = conversations.paths();
        if (!(context.getAttribute(ServerContainer.class.getName()) instanceof ServerContainer sockets)) {
            throw new IllegalStateException("tidings.conversations.enabled is true, but there are no WebSockets here");
        }
        ServletRegistration.Dynamic recent = context.addServlet("tidings-recent-events", RecentEventsServlet.class);
        recent.setAsyncSupported(true);
        if (!recent.addMapping(paths.recent()).isEmpty()) {
            throw taken();
        }
        for (ServerEndpointConfig endpoint : ConversationsEndpoint.configs(paths, face::get)) {
            try {
                sockets.addEndpoint(endpoint);
            } catch (DeploymentException e) {
                throw taken();
            }
        }
    }

    private static IllegalStateException taken() {
        return new IllegalStateException(
                "a path of tidings.conversations.path is the application's own; choose another");
    }

    @Override
    public void contextDestroyed(ServletContextEvent event) {
        tidings.stop();
    }
}
