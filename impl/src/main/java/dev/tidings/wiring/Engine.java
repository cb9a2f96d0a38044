package dev.tidings.wiring;

import dev.tidings.SignerRole;
import dev.tidings.access.Access;
import dev.tidings.access.KeyAccess;
import dev.tidings.delivery.Delivery;
import dev.tidings.delivery.SharedHeads;
import dev.tidings.envelope.CapabilityStore;
import dev.tidings.envelope.EnvelopeDecoder;
import dev.tidings.envelope.EnvelopeVerifier;
import dev.tidings.envelope.SignerCheck;
import dev.tidings.event.AccountHint;
import dev.tidings.event.AgentChanged;
import dev.tidings.event.AgentDeleted;
import dev.tidings.event.EntriesStored;
import dev.tidings.event.GrantChanged;
import dev.tidings.event.RunChanged;
import dev.tidings.event.SessionChanged;
import dev.tidings.event.SessionDeleted;
import dev.tidings.event.Signal;
import dev.tidings.event.SignerRevoked;
import dev.tidings.protocol.admission.Admission;
import dev.tidings.protocol.agents.ActionHandler;
import dev.tidings.protocol.agents.AgentsEvents;
import dev.tidings.protocol.agents.AgentsFace;
import dev.tidings.protocol.agents.AgentsHttp;
import dev.tidings.protocol.agents.AgentsHttpPorts;
import dev.tidings.protocol.agents.AgentsPorts;
import dev.tidings.protocol.commands.CommandsFace;
import dev.tidings.protocol.commands.CommandsPorts;
import dev.tidings.protocol.conversations.ConversationsFace;
import dev.tidings.protocol.conversations.ConversationsPorts;
import dev.tidings.protocol.conversations.ConversationsSettings;
import dev.tidings.protocol.http.HttpExchanges;
import dev.tidings.runs.Deadlines;
import dev.tidings.runs.RunEngine;
import dev.tidings.runs.Runs;
import dev.tidings.spi.Counters;
import dev.tidings.spi.Directory;
import dev.tidings.spi.NodeHealth;
import dev.tidings.transport.Doors;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;

/**
 * All parts of Tidings, made in the order in which they need each other.
 *
 * <p>Threads: any.
 */
final class Engine {
    private static final Duration HEALTH_LOOK = Duration.ofSeconds(2);
    private static final Duration FEED_SWEEP = Duration.ofSeconds(10);

    private final Delivery delivery;
    private final Access access;
    private final Optional<KeyAccess> keys;
    private final AgentsEvents events;
    private final AgentsFace face;
    private final HttpExchanges exchanges;
    private final AgentsHttp http;
    private final Optional<CommandsFace> commands;
    private final Optional<ConversationsFace> conversations;
    private final Runs runs;
    private final Dispatcher dispatcher;
    private final Commits commits;
    private final Threads threads;
    private final boolean writes;
    private final NodeLooks health;

    /**
     * Everything, not yet started.
     *
     * @param fire fires a domain event in the current transaction
     */
    Engine(
            TidingsConfig config,
            Ports ports,
            Threads threads,
            Collection<? extends ActionHandler> handlers,
            Consumer<Object> fire) {
        Ports.Needed needed = ports.needed(
                config.commands().enabled() || handlers.stream().anyMatch(handler -> !handler.readsOnly()));
        writes = needed.writes();
        this.threads = threads;
        Clock clock = Clock.systemUTC();
        Deadlines deadlines = new Deadlines(threads.timers());
        Consumer<Runnable> atLast = task -> deadlines.after(
                config.delivery().sendTimeout(), () -> threads.sockets().execute(task));
        Doors doors = config.doors()
                ? Doors.found(threads.pumps(), threads.sockets(), atLast)
                : Doors.portable(threads.pumps(), threads.sockets(), atLast);
        delivery = new Delivery(config.delivery(), needed.log(), threads.pumps(), threads.workers(), System::nanoTime);
        access = new Access(needed.grants(), ports.signers(), config.accessMaxAge(), System::nanoTime);
        keys = ports.apiKeys()
                .map(port -> new KeyAccess(
                        port,
                        Optional.of(config.apiKey()).filter(key -> !key.isEmpty()),
                        config.accessMaxAge(),
                        System::nanoTime));
        dispatcher = new Dispatcher(threads.pumps(), this::dispatch, config.dispatchMaxBytes());
        commits = new Commits(access, keys, this::ended, dispatcher);
        Admission admission = new Admission(config.admission(), System::nanoTime);
        conversations = config.conversationsEnabled()
                ? Optional.of(conversations(config, ports, needed.directory(), admission, clock, doors))
                : Optional.empty();
        Later later = new Later(threads);
        SignerCheck signers = ports.signers()::authorized;
        Optional<CapabilityStore> capabilities = ports.signerWriter()
                .map(writer -> capability -> needed.transactions()
                        .required(() -> writer.authorize(
                                capability.issuer().text(),
                                capability.delegate().text(),
                                SignerRole.AGENT,
                                capability.issuedAtMillis(),
                                clock.millis())));

        exchanges = new HttpExchanges(config.http(), threads.workers(), threads.sockets(), deadlines);
        SharedHeads heads = new SharedHeads(needed.log());
        AgentsPorts agents = new AgentsPorts(delivery, access, needed.directory(), heads);
        events = new AgentsEvents(agents, config.agents(), threads.workers(), later::shortly);
        face = new AgentsFace(
                agents,
                events,
                new EnvelopeDecoder(config.envelope()),
                new EnvelopeVerifier(config.envelope(), signers, capabilities),
                config.agents(),
                admission,
                threads.workers(),
                new AgentsFace.Clocks(clock, System::nanoTime),
                doors::sink);
        runs = ports.runner()
                .<Runs>map(runner -> new RunEngine(
                        new RunEngine.Ports(
                                needed.transactions(),
                                needed.directory(),
                                needed.directoryWriter(),
                                needed.ledger(),
                                needed.log(),
                                needed.writer(),
                                needed.approvals()),
                        new RunEngine.Surroundings(
                                config.nodeId(),
                                clock,
                                threads.runners(),
                                threads.workers(),
                                later::onAWorker,
                                deadlines,
                                signal -> committed(List.of(signal))),
                        config.runs(),
                        runner))
                .orElseGet(NoRuns::new);
        http = new AgentsHttp(
                new AgentsHttpPorts(
                        writes,
                        needed.directory(),
                        needed.directoryWriter(),
                        needed.grants(),
                        needed.grantsWriter(),
                        needed.log(),
                        needed.writer(),
                        needed.transactions(),
                        needed.receipts(),
                        access,
                        runs,
                        ports.tools(),
                        fire),
                new AgentsHttp.EnvelopeChecks(config.envelope(), signers, capabilities),
                config.agentsHttp(),
                handlers,
                threads.workers(),
                threads.runners(),
                deadlines,
                exchanges,
                clock);
        health = new NodeLooks(http::state, System::nanoTime);
        commands = config.commands().enabled()
                ? Optional.of(new CommandsFace(
                        new CommandsPorts(
                                delivery,
                                runs,
                                access,
                                keys,
                                needed.directory(),
                                needed.directoryWriter(),
                                heads,
                                needed.receipts(),
                                needed.transactions()),
                        admission,
                        config.commands()
                                .settings(keys.isPresent(), config.runs().storeDeltas()),
                        threads.workers(),
                        exchanges,
                        clock,
                        session -> doors.sink(session, null)))
                : Optional.empty();
    }

    private ConversationsFace conversations(
            TidingsConfig config, Ports ports, Directory directory, Admission admission, Clock clock, Doors doors) {
        return new ConversationsFace(
                new ConversationsPorts(
                        ports.feed().orElseThrow(() -> missing("Feed")),
                        directory,
                        keys.orElseThrow(() -> missing("ApiKeys"))),
                new ConversationsSettings(
                        config.conversationsDelivery(),
                        config.nodeId(),
                        config.runs().lease(),
                        config.agents().maxMessageBytes()),
                new ConversationsFace.Around(
                        delivery,
                        admission,
                        threads.workers(),
                        clock,
                        System::nanoTime,
                        session -> doors.sink(session, null)));
    }

    private static IllegalStateException missing(String port) {
        return new IllegalStateException("tidings.conversations.enabled is true, but the application has no bean for "
                + port + "; add tidings-jpa or beans of your own");
    }

    Threads threads() {
        return threads;
    }

    AgentsFace face() {
        return face;
    }

    AgentsHttp http() {
        return http;
    }

    /** How requests over HTTP are answered later, for all faces. */
    HttpExchanges exchanges() {
        return exchanges;
    }

    /** The session commands; empty if they are switched off. */
    Optional<CommandsFace> commands() {
        return commands;
    }

    Runs runs() {
        return runs;
    }

    /** The conversations' sockets; empty while they are switched off. */
    Optional<ConversationsFace> conversations() {
        return conversations;
    }

    /** Which API keys are valid; empty if the application has no port for them. */
    Optional<KeyAccess> keys() {
        return keys;
    }

    /** The events of one transaction have committed. */
    void committed(List<?> committed) {
        commits.committed(committed);
    }

    /** What is to be done behind all that was enqueued before. */
    private record InLine(Runnable task) {}

    private void dispatch(Object event) {
        if (event instanceof InLine line) {
            line.task().run();
            return;
        }
        conversations.ifPresent(face -> face.happened(event));
        if (event instanceof EntriesStored stored) {
            delivery.stored(stored);
            events.stored(stored);
        } else if (event instanceof Signal signal) {
            events.signalled(signal);
        } else if (event instanceof SessionChanged change) {
            events.changed(change);
        } else if (event instanceof RunChanged change) {
            events.changed(change);
        } else if (event instanceof AgentChanged change) {
            events.changed(change);
        } else if (event instanceof AccountHint hint) {
            events.hinted(hint);
        } else if (event instanceof SessionDeleted deleted) {
            events.deleted(deleted);
        } else if (event instanceof GrantChanged change) {
            threads.workers().execute(() -> {
                access.lookAgain(change);
                face.accessSettled(change.agentId());
            });
        } else if (event instanceof SignerRevoked revoked) {
            threads.workers().execute(() -> {
                access.lookAgain(revoked);
                face.accessSettled();
            });
        }
    }

    /** Something was deleted: on the thread that committed it. */
    private void ended(Object event) {
        if (event instanceof SessionDeleted deleted) {
            face.deleted(deleted);
            commands.ifPresent(known -> known.deleted(deleted));
            conversations.ifPresent(known -> known.deleted(deleted));
        } else if (event instanceof AgentDeleted deleted) {
            face.deleted(deleted);
            commands.ifPresent(known -> known.deleted(deleted));
            conversations.ifPresent(known -> known.deleted(deleted));
        }
    }

    /** The work that comes round: about once a second, and as often as configured. */
    void schedule(Rounds rounds, TidingsConfig config) {
        rounds.everyLive(Duration.ofSeconds(1), "tick", () -> {
            dispatcher.tick();
            health.cameRound();
            delivery.tick();
            face.tick();
        });
        // Not on a worker: when a database that hangs holds all of those, the look itself must still be missed.
        rounds.everyLive(HEALTH_LOOK, "health", health::look);
        health.begin();
        conversations.ifPresent(face -> {
            rounds.everyLive(Duration.ofSeconds(1), "conversations", face::tick);
            rounds.every(config.headsInterval(), "feed", face::look);
            rounds.every(FEED_SWEEP, "feed sweep", face::sweep);
        });
        rounds.every(
                config.headsInterval(),
                "heads",
                () -> delivery.compareHeads(told -> committed(List.of(new InLine(told)))));
        rounds.every(config.delivery().heartbeatInterval(), "heartbeat", face::beat);
        rounds.every(config.accessRecheck(), "access", () -> {
            // With the grants out of reach all is silent, and asking again for each subscription would only
            // keep the next look waiting.
            if (access.recheck()) {
                face.accessSettled();
            }
        });
        keys.ifPresent(known -> rounds.every(config.accessRecheck(), "keys", known::recheck));
        commands.ifPresent(known -> rounds.every(config.accessRecheck(), "sessions", known::recheck));
        // Not on a worker: a look that hangs holds those.
        rounds.everyLive(Duration.ofMillis(500), "silence", () -> {
            access.silenceStale();
            keys.ifPresent(KeyAccess::silenceStale);
        });
        if (writes) {
            rounds.every(Duration.ofMinutes(1), "receipts", http::expireReceipts);
        }
        rounds.every(config.runs().lease().dividedBy(3), "lease", runs::renewLease);
        rounds.every(config.runsRecheck(), "runs", runs::look);
    }

    /** Ends what an earlier life of this node left behind, then takes queued turns. */
    void recover() {
        conversations.ifPresent(ConversationsFace::sweep);
        runs.renewLease();
        runs.recover();
    }

    /** What was counted. */
    Counters counters() {
        return delivery.counters();
    }

    /** How the node is. */
    NodeHealth health() {
        return health;
    }

    /** Says that it is not ready, then tells all sockets to go, over a while. Blocks. */
    void drain(Drain drain) {
        health.drain();
        http.drain();
        List<Runnable> stops = new ArrayList<>(delivery.drain(new Random()));
        conversations.ifPresent(face -> stops.addAll(face.drain(new Random())));
        drain.run(stops, () -> (int) counters().value(Counters.Counter.SOCKETS));
    }

    void stop() {
        runs.close();
        threads.stop();
    }
}
