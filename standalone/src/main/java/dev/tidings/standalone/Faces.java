package dev.tidings.standalone;

import dev.tidings.protocol.agents.AgentsEndpoint;
import dev.tidings.protocol.agents.AgentsFilter;
import dev.tidings.protocol.agents.AgentsHealthServlet;
import dev.tidings.protocol.agents.AgentsMessageServlet;
import dev.tidings.protocol.commands.CommandsEndpoint;
import dev.tidings.protocol.commands.CommandsFilter;
import dev.tidings.protocol.commands.CommandsServlet;
import dev.tidings.protocol.conversations.ConversationsDoor;
import dev.tidings.protocol.conversations.ConversationsEndpoint;
import dev.tidings.protocol.conversations.ConversationsFace;
import dev.tidings.protocol.conversations.ConversationsFilter;
import dev.tidings.protocol.conversations.RecentEventsServlet;
import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import jakarta.servlet.annotation.WebFilter;
import jakarta.servlet.annotation.WebServlet;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.server.ServerEndpoint;
import jakarta.websocket.server.ServerEndpointConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * What the server shows on its port: the one list to edit when a face is added.
 *
 * <p>Filters run in the order given, on servlets and on WebSocket upgrades alike.
 */
record Faces(List<Socket> sockets, List<Http> servlets, List<Gate> filters) {

    /** Above what any face can be configured to take; each face draws its own line below it. */
    private static final int LARGEST_MESSAGE = (1 << 20) + 1;

    /**
     * A WebSocket endpoint.
     *
     * @param name tells it apart from others
     * @param registration makes it known to the container
     * @param maxMessageBytes a message with more closes the socket with 1009 before it is read into memory
     */
    record Socket(String name, String path, Registration registration, int maxMessageBytes) {

        /** @param endpoint a class with {@code @ServerEndpoint}; a CDI bean if it has a bean-defining annotation */
        Socket(Class<?> endpoint, int maxMessageBytes) {
            this(
                    endpoint.getName(),
                    endpoint.getAnnotation(ServerEndpoint.class).value(),
                    container -> container.register(endpoint),
                    maxMessageBytes);
        }

        /** An endpoint without an annotation. */
        static Socket configured(ServerEndpointConfig config, int maxMessageBytes) {
            return new Socket(
                    config.getEndpointClass().getName() + " " + config.getPath(),
                    config.getPath(),
                    container -> container.register(config),
                    maxMessageBytes);
        }
    }

    /** Makes an endpoint known to the container. */
    @FunctionalInterface
    interface Registration {
        void with(TyrusContainer container) throws DeploymentException;
    }

    /** A servlet, made by CDI; may use {@code startAsync}. */
    record Http(Class<? extends Servlet> servlet, List<String> paths) {

        /** On the paths of its {@code @WebServlet}, which says them once for every container. */
        static Http annotated(Class<? extends Servlet> servlet) {
            return new Http(
                    servlet, List.of(servlet.getAnnotation(WebServlet.class).urlPatterns()));
        }
    }

    /** A servlet filter, made by CDI; may refuse an upgrade by answering without calling the chain. */
    record Gate(Class<? extends Filter> filter, List<String> paths) {

        /** On the paths of its {@code @WebFilter}. */
        static Gate annotated(Class<? extends Filter> filter) {
            return new Gate(
                    filter, List.of(filter.getAnnotation(WebFilter.class).urlPatterns()));
        }
    }

    /** The faces of Tidings. */
    static Faces ofTidings() {
        return new Faces(
                List.of(
                        new Socket(AgentsEndpoint.class, LARGEST_MESSAGE),
                        new Socket(CommandsEndpoint.class, LARGEST_MESSAGE)),
                List.of(
                        Http.annotated(AgentsMessageServlet.class),
                        Http.annotated(AgentsHealthServlet.class),
                        Http.annotated(CommandsServlet.class)),
                List.of(Gate.annotated(AgentsFilter.class), Gate.annotated(CommandsFilter.class)));
    }

    /** These and the conversations' faces, which have their paths from the configuration; none while they are switched off. */
    Faces with(ConversationsDoor conversations, Supplier<ConversationsFace> face) {
        if (!conversations.door().enabled()) {
            return this;
        }
        List<Socket> allSockets = new ArrayList<>(sockets);
        ConversationsEndpoint.configs(conversations.paths(), face)
                .forEach(config -> allSockets.add(Socket.configured(config, LARGEST_MESSAGE)));
        List<Http> allServlets = new ArrayList<>(servlets);
        allServlets.add(new Http(
                RecentEventsServlet.class, List.of(conversations.paths().recent())));
        List<Gate> allFilters = new ArrayList<>(filters);
        allFilters.add(Gate.annotated(ConversationsFilter.class));
        return new Faces(allSockets, allServlets, allFilters);
    }
}
