package dev.tidings.standalone;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import jakarta.websocket.DeploymentException;
import java.io.IOException;
import java.net.BindException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Function;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.grizzly.http.server.NetworkListener;
import org.glassfish.grizzly.servlet.FilterRegistration;
import org.glassfish.grizzly.servlet.ServletRegistration;
import org.glassfish.grizzly.servlet.WebappContext;
import org.glassfish.grizzly.strategies.WorkerThreadIOStrategy;
import org.glassfish.grizzly.threadpool.ThreadPoolConfig;

/**
 * One port for HTTP and WebSocket: servlets and filters on Grizzly, endpoints on Tyrus at the end of the servlet chain.
 *
 * <p>Threads: started and stopped by one thread; in between it runs on its own.
 */
final class WebServer {
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    /** How long the rest of a body is awaited behind a refusal. */
    private static final Duration REFUSED = Duration.ofSeconds(10);

    private final HttpServer server = new HttpServer();
    private final NetworkListener listener;
    private final TyrusContainer container;
    private final OpenSockets sockets = new OpenSockets();
    private final String host;

    /** @param instances makes, or finds, the instance of a servlet or filter class */
    WebServer(String host, int port, Faces faces, Function<Class<?>, Object> instances) {
        this(host, port, faces, instances, REFUSED);
    }

    /** @param refused how long the rest of a body is awaited behind a refusal */
    WebServer(String host, int port, Faces faces, Function<Class<?>, Object> instances, Duration refused) {
        this.host = host;
        this.listener = new NetworkListener("tidings", host, port);
        this.container = new TyrusContainer(faces.sockets().stream()
                .mapToInt(Faces.Socket::maxMessageBytes)
                .max()
                .orElse(0));
        listener.registerAddOn(new SocketReads());
        listener.getTransport().setIOStrategy(WorkerThreadIOStrategy.getInstance());
        listener.getTransport().setWorkerThreadPoolConfig(workers());
        server.addListener(listener);
        server.getServerConfiguration().setDefaultErrorPageGenerator(ErrorAnswers.pages());
        // Refused by the servlets like other methods; Grizzly would name methods that nobody has.
        server.getServerConfiguration().setPassTraceRequest(true);
        deploy(faces, instances, refused);
    }

    /** Endpoints and servlets may block for the database; more threads come when all are busy. */
    private static ThreadPoolConfig workers() {
        int usual = Math.max(16, 4 * Runtime.getRuntime().availableProcessors());
        ThreadPoolConfig workers = ThreadPoolConfig.defaultConfig()
                .setPoolName("tidings-http")
                .setCorePoolSize(usual)
                .setMaxPoolSize(4 * usual)
                .setDaemon(true);
        workers.getInitialMonitoringConfig().addProbes(AfterService.probe());
        return workers;
    }

    private void deploy(Faces faces, Function<Class<?>, Object> instances, Duration refused) {
        WebappContext application = new WebappContext("tidings", "");
        add(
                application,
                ServletRepair.class.getName(),
                new ServletRepair(new HeldBack(container.getScheduledExecutorService(), refused)),
                List.of("/*"));
        for (Faces.Gate gate : faces.filters()) {
            add(application, gate.filter().getName(), (Filter) instances.apply(gate.filter()), gate.paths());
        }
        for (Faces.Http http : faces.servlets()) {
            add(application, http.servlet().getName(), (Servlet) instances.apply(http.servlet()), http.paths());
        }
        for (Faces.Socket socket : faces.sockets()) {
            register(socket);
            add(
                    application,
                    socket.name(),
                    new UpgradeServlet(container, sockets, socket.maxMessageBytes()),
                    List.of(pattern(socket.path())));
        }
        add(application, NotFoundServlet.class.getName(), new NotFoundServlet(), List.of("/"));
        application.deploy(server);
    }

    private static void add(WebappContext application, String name, Filter filter, List<String> paths) {
        FilterRegistration added = application.addFilter(name, filter);
        added.setAsyncSupported(true);
        added.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), paths.toArray(String[]::new));
    }

    private static void add(WebappContext application, String name, Servlet servlet, List<String> paths) {
        ServletRegistration added = application.addServlet(name, servlet);
        added.setAsyncSupported(true);
        added.addMapping(paths.toArray(String[]::new));
    }

    private void register(Faces.Socket socket) {
        try {
            socket.registration().with(container);
        } catch (DeploymentException e) {
            throw new StartFailure("the endpoint on " + socket.path() + " is not valid", e);
        }
    }

    /** A path with parameters is served by everything below its fixed part; Tyrus then tells which of it exists. */
    private static String pattern(String path) {
        int parameter = path.indexOf('{');
        return parameter < 0 ? path : path.substring(0, parameter) + "*";
    }

    /** @throws StartFailure if the address cannot be listened on */
    void start() {
        try {
            server.start();
        } catch (BindException e) {
            throw new StartFailure(
                    "port " + listener.getPort() + " on " + host
                            + " cannot be used (is another server running? --port chooses another)",
                    e);
        } catch (UnknownHostException | UnresolvedAddressException e) {
            throw new StartFailure("there is no address " + host, e);
        } catch (IOException e) {
            throw new StartFailure("cannot listen on " + host, e);
        }
    }

    /** The port in use, also when 0 was asked for. */
    int port() {
        return listener.getPort();
    }

    /**
     * Takes no more connections, closes the sockets with 1001, waits up to 3 s for their peers, then ends. Blocks.
     */
    void stop() {
        listener.getTransport().unbindAll();
        sockets.stop(PATIENCE);
        server.shutdownNow();
        container.stop();
    }
}
