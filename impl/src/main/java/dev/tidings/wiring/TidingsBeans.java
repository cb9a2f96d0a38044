package dev.tidings.wiring;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tidings.protocol.agents.ActionHandler;
import dev.tidings.protocol.agents.AgentsDoor;
import dev.tidings.protocol.agents.AgentsFace;
import dev.tidings.protocol.agents.AgentsHttp;
import dev.tidings.protocol.commands.CommandsDoor;
import dev.tidings.protocol.commands.CommandsFace;
import dev.tidings.protocol.conversations.ConversationsDoor;
import dev.tidings.protocol.conversations.ConversationsFace;
import dev.tidings.protocol.http.FaceDoor;
import dev.tidings.protocol.http.HttpExchanges;
import dev.tidings.protocol.http.Origins;
import dev.tidings.runs.Runs;
import dev.tidings.spi.ApplicationStarted;
import dev.tidings.spi.ApplicationStopping;
import dev.tidings.spi.Counters;
import dev.tidings.spi.NodeHealth;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.BeforeDestroyed;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jspecify.annotations.Nullable;

/**
 * Tidings as beans of the application: starts when {@link ApplicationStarted} is fired, stops before the application does.
 *
 * <p>Public for the container; not API.
 */
@ApplicationScoped
public class TidingsBeans implements AfterCommit {

    private final Ports ports;
    private final Instance<ActionHandler> handlers;
    private final Event<Object> events;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private @Nullable Engine engine;

    // Volatile: read from the configuration by whoever asks first; every reader reads the same.
    private volatile @Nullable Boolean served;

    // Confined: the threads that start and stop the application, one after the other.
    private @Nullable Rounds rounds;

    /** For the container's proxy. */
    @SuppressWarnings("NullAway")
    protected TidingsBeans() {
        this.ports = null;
        this.handlers = null;
        this.events = null;
    }

    @Inject
    TidingsBeans(Ports ports, Instance<ActionHandler> handlers, Event<Object> events) {
        this.ports = ports;
        this.handlers = handlers;
        this.events = events;
    }

    /** Who is let in. */
    @Produces
    @Singleton
    AgentsDoor door() {
        return TidingsConfig.door(TidingsBeans::configured);
    }

    /** Who is let in to the session commands. */
    @Produces
    @Singleton
    CommandsDoor commandsDoor() {
        CommandsConfig commands = CommandsConfig.read(TidingsBeans::configured);
        return new CommandsDoor(new FaceDoor(
                commands.enabled(),
                commands.auth(),
                new Origins(TidingsConfig.httpOrigins(TidingsBeans::configured)),
                () -> engine().keys().orElseThrow()));
    }

    /** The session commands. */
    @Produces
    @Singleton
    CommandsFace commands() {
        return engine().commands().orElseThrow(() -> new IllegalStateException("tidings.commands.enabled is false"));
    }

    /** The sockets' shared part. */
    @Produces
    @Singleton
    AgentsFace face() {
        return engine().face();
    }

    /** The signed HTTP API. */
    @Produces
    @Singleton
    AgentsHttp http() {
        return engine().http();
    }

    /** How requests over HTTP are answered later, for all faces. */
    @Produces
    @Singleton
    HttpExchanges exchanges() {
        return engine().exchanges();
    }

    /** Who is let in by the face of conversations. */
    @Produces
    @Singleton
    ConversationsDoor conversationsDoor() {
        return TidingsConfig.conversationsDoor(
                TidingsBeans::configured, () -> engine().keys().orElseThrow());
    }

    /** The sockets of conversations. */
    @Produces
    @Singleton
    ConversationsFace conversations() {
        return engine().conversations()
                .orElseThrow(() -> new IllegalStateException("tidings.conversations.enabled is false"));
    }

    /** The run engine, for a backend that starts turns itself. */
    @Produces
    @Singleton
    Runs runs() {
        return engine().runs();
    }

    /** What is counted, for whoever exports it. */
    @Produces
    @Singleton
    Counters counters() {
        return engine().counters();
    }

    /** How the node is, for whoever shows it. */
    @Produces
    @Singleton
    NodeHealth health() {
        return engine().health();
    }

    /** The engine, made when it is first asked for: events may be fired before the application has started. */
    Engine engine() {
        lock.lock();
        try {
            Engine made = engine;
            if (made == null) {
                TidingsConfig config = config();
                made = new Engine(
                        config,
                        ports,
                        new RequestScopedThreads(ports.threads(config.threadFactory()), ports.requestScope()),
                        List.copyOf(handlers.stream().toList()),
                        events::fire);
                engine = made;
            }
            return made;
        } finally {
            lock.unlock();
        }
    }

    /** The events of one transaction have committed; nobody is told of them while nothing is served. */
    @Override
    public void committed(List<?> events) {
        Boolean known = served;
        if (known == null) {
            known = door().enabled()
                    || CommandsConfig.read(TidingsBeans::configured).enabled()
                    || conversationsDoor().door().enabled();
            served = known;
        }
        if (known) {
            engine().committed(events);
        }
    }

    void start(@Observes @Priority(Interceptor.Priority.LIBRARY_AFTER) ApplicationStarted started) {
        TidingsConfig config = config();
        if (!serves(config)) {
            return;
        }
        Engine made = engine();
        try {
            made.recover();
        } catch (RuntimeException e) {
            // The application does not start, and nobody will stop it.
            made.stop();
            throw e;
        }
        Rounds going = new Rounds(made.threads());
        made.schedule(going, config);
        rounds = going;
    }

    void stop(@Observes ApplicationStopping stopping) {
        stop();
    }

    void stop(@Observes @BeforeDestroyed(ApplicationScoped.class) Object ending) {
        stop();
    }

    /** Stops what was started; a second time nothing. */
    void stop() {
        Rounds going = rounds;
        if (going != null) {
            rounds = null;
            // While the rounds go on: a socket that does not answer its close is dropped by them.
            engine().drain(Drain.over(config().drainPeriod()));
            going.stop();
            ports.requestScope().around(engine()::stop);
        }
    }

    private static boolean serves(TidingsConfig config) {
        return config.agentsDoor().enabled() || config.commands().enabled() || config.conversationsEnabled();
    }

    private static TidingsConfig config() {
        return TidingsConfig.read(TidingsBeans::configured);
    }

    private static Optional<String> configured(String name) {
        return ConfigProvider.getConfig().getOptionalValue(name, String.class).filter(text -> !text.isBlank());
    }
}
