package dev.tidings.protocol.agents;

import dev.tidings.AgentInfo;
import dev.tidings.EntryKind;
import dev.tidings.NewEntry;
import dev.tidings.Payload;
import dev.tidings.Role;
import dev.tidings.RunInfo;
import dev.tidings.RunStatus;
import dev.tidings.SessionInfo;
import dev.tidings.SessionStatus;
import dev.tidings.SignerRole;
import dev.tidings.StreamKey;
import dev.tidings.access.Access;
import dev.tidings.delivery.Delivery;
import dev.tidings.delivery.DeliveryLimits;
import dev.tidings.envelope.Capability;
import dev.tidings.envelope.EnvelopeDecoder;
import dev.tidings.envelope.EnvelopeFixtures;
import dev.tidings.envelope.EnvelopeFixtures.Signer;
import dev.tidings.envelope.EnvelopeLimits;
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
import dev.tidings.protocol.admission.AdmissionLimits;
import dev.tidings.spi.Directory;
import dev.tidings.spi.EventLog;
import dev.tidings.testkit.InMemoryTidings;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The whole face over the real engine and the ports in memory, with an executor and clocks that a test moves by hand.
 *
 * <p>Threads: one.
 */
final class AgentsWorld {
    static final Signer OWNER = Signer.number(1);
    static final Signer READER = Signer.number(2);
    static final Signer STRANGER = Signer.number(3);
    static final String AGENT = "agent-1";
    static final String SESSION = "session-1";
    static final String SESSION_KEY = "sessions/" + SESSION;

    /** The clock stands still here, and tests send as much as they like. */
    private static final AdmissionLimits EVERYBODY =
            new AdmissionLimits(1_000_000, 1_000_000, 1_000_000_000, 1_000_000_000);

    final HandRun hand = new HandRun();
    final InMemoryTidings tidings = new InMemoryTidings();
    final Delivery delivery;
    final Access access;
    final AgentsSocket.Shared shared;
    final AgentsEvents events;
    final AgentsFace face;

    // Confined: the test's thread. Whether what commits is told to nobody, like foreign SQL.
    boolean untold;
    // Confined: the test's thread.
    long now = 1_800_000_000_000L;
    private long ids;

    AgentsWorld() {
        this(AgentsLimits.DEFAULTS, null, ports -> ports);
    }

    /**
     * @param signers who signs for others; null for those that are stored
     * @param broken puts faults in front of the ports
     */
    AgentsWorld(AgentsLimits limits, @Nullable SignerCheck signers, UnaryOperator<AgentsPorts> broken) {
        delivery = new Delivery(DeliveryLimits.DEFAULTS, tidings.log(), hand, hand::nanos);
        access = new Access(tidings.grants(), tidings.signers());
        AgentsPorts ports = broken.apply(new AgentsPorts(delivery, access, tidings.directory(), tidings.log()));
        events = new AgentsEvents(ports, limits, hand, hand);
        face = new AgentsFace(
                ports,
                events,
                new EnvelopeDecoder(EnvelopeLimits.DEFAULT),
                new EnvelopeVerifier(
                        EnvelopeLimits.DEFAULT,
                        signers == null ? tidings.signers()::authorized : signers,
                        Optional.of(this::store)),
                limits,
                new Admission(EVERYBODY, hand::nanos),
                hand,
                new AgentsFace.Clocks(() -> Instant.ofEpochMilli(now), hand::nanos),
                (session, form) -> new FakeSink());
        shared = face.shared();
        tidings.listen(this::committed);
    }

    private boolean store(Capability capability) {
        return tidings.transactions()
                .requiresNew(() -> tidings.signerWriter()
                        .authorize(
                                capability.issuer().text(),
                                capability.delegate().text(),
                                SignerRole.AGENT,
                                capability.issuedAtMillis(),
                                now));
    }

    private void committed(Object event) {
        if (untold) {
            return;
        }
        if (event instanceof GrantChanged grant) {
            access.changed(grant);
            access.lookAgain(grant);
            face.accessSettled(grant.agentId());
        } else if (event instanceof SessionDeleted deleted) {
            face.deleted(deleted);
            events.deleted(deleted);
        } else if (event instanceof AgentDeleted deleted) {
            face.deleted(deleted);
        } else if (event instanceof SignerRevoked revoked) {
            access.revoked(revoked);
            access.lookAgain(revoked);
            face.accessSettled();
        } else if (event instanceof EntriesStored stored) {
            delivery.stored(stored);
            events.stored(stored);
        } else if (event instanceof SessionChanged changed) {
            events.changed(changed);
        } else if (event instanceof AgentChanged changed) {
            events.changed(changed);
        } else if (event instanceof RunChanged changed) {
            events.changed(changed);
        } else if (event instanceof AccountHint hint) {
            events.hinted(hint);
        } else if (event instanceof Signal signal) {
            events.signalled(signal);
        }
    }

    /** An agent of the owner's with a session and an accepted reader. */
    AgentsWorld furnished() {
        agent(AGENT, OWNER.id(), false);
        session(SESSION, AGENT, OWNER.id());
        accept(AGENT, READER.id(), Role.READER);
        hand.runAll();
        return this;
    }

    void agent(String id, String owner, boolean publicRead) {
        tidings.transactions()
                .run(() -> tidings.directoryWriter()
                        .create(new AgentInfo(
                                id, owner, Payload.of("{}"), null, AgentInfo.AgentStatus.IDLE, now, now, publicRead)));
    }

    void session(String id, String agentId, String owner) {
        tidings.transactions()
                .run(() -> tidings.directoryWriter().create(SessionInfo.idle(id, owner, agentId, null, now)));
    }

    void run(String id, String root, @Nullable String agentId, @Nullable String sessionId) {
        RunInfo.Lineage lineage = id.equals(root) ? RunInfo.Lineage.ROOT : new RunInfo.Lineage(root, null, 1, 0);
        tidings.transactions()
                .run(() -> tidings.directoryWriter()
                        .create(new RunInfo(
                                id,
                                OWNER.id(),
                                root,
                                lineage,
                                "agent",
                                agentId,
                                sessionId,
                                "user",
                                "t",
                                RunStatus.QUEUED,
                                null,
                                null,
                                now,
                                null,
                                null,
                                now)));
    }

    void publicRead(String agentId, boolean on) {
        tidings.transactions()
                .run(() -> tidings.directoryWriter()
                        .changeAgent(
                                agentId,
                                a -> new AgentInfo(
                                        a.id(),
                                        a.account(),
                                        a.definition(),
                                        a.stateDir(),
                                        a.status(),
                                        a.createdAt(),
                                        now,
                                        on)));
    }

    void runStatus(String id, RunStatus status) {
        tidings.transactions().run(() -> tidings.directoryWriter().changeRun(id, run -> run.withStatus(status, now)));
        hand.runAll();
    }

    /** Stores journal entries of a run in its tree, in one transaction. */
    void journal(String root, String runId, String... kinds) {
        tidings.transactions().run(() -> {
            for (String kind : kinds) {
                tidings.writer()
                        .append(
                                StreamKey.run(root),
                                new NewEntry(
                                        "j" + ids++,
                                        EntryKind.JOURNAL,
                                        true,
                                        Payload.of("{\"kind\":\"" + kind + "\"}"),
                                        runId,
                                        now));
            }
        });
        hand.runAll();
    }

    void publicRead(boolean on) {
        changeAgent(a ->
                new AgentInfo(a.id(), a.account(), a.definition(), a.stateDir(), a.status(), a.createdAt(), now, on));
    }

    void changeAgent(UnaryOperator<AgentInfo> change) {
        tidings.transactions().run(() -> tidings.directoryWriter().changeAgent(AGENT, change));
        hand.runAll();
    }

    void invite(String agentId, String account, Role role) {
        tidings.transactions().run(() -> tidings.grantsWriter().invite(agentId, account, role, now));
    }

    void accept(String agentId, String account, Role role) {
        invite(agentId, account, role);
        tidings.transactions().run(() -> tidings.grantsWriter().accept(agentId, account, now));
        hand.runAll();
    }

    void remove(String agentId, String account) {
        tidings.transactions().run(() -> tidings.grantsWriter().remove(agentId, account));
    }

    void status(SessionStatus status) {
        commitStatus(status);
        hand.runAll();
    }

    /** Changes it and does nothing of what follows. */
    void commitStatus(SessionStatus status) {
        tidings.transactions()
                .run(() -> tidings.directoryWriter().changeSession(SESSION, s -> s.withStatus(status, now)));
    }

    /** Stores numbered events with these texts in the session, in one transaction. */
    void say(String... texts) {
        commit(texts);
        hand.runAll();
    }

    /** Stores them and does nothing of what follows. */
    void commit(String... texts) {
        tidings.transactions().run(() -> {
            for (String text : texts) {
                append(EntryKind.EVENT, true, "{\"type\":\"message\",\"role\":\"user\",\"content\":\"" + text + "\"}");
            }
        });
    }

    /** Stores a delta, which has no number. */
    void delta(String text) {
        tidings.transactions().run(() -> append(EntryKind.TEXT_DELTA, false, "{\"content\":\"" + text + "\"}"));
        hand.runAll();
    }

    private void append(EntryKind kind, boolean numbered, String json) {
        tidings.writer()
                .append(
                        StreamKey.session(SESSION),
                        new NewEntry("e" + ids++, kind, numbered, Payload.of(json), null, now));
    }

    void fire(Object event) {
        tidings.fire(event);
        hand.runAll();
    }

    Peer connect() {
        return new Peer();
    }

    Peer connectV2() {
        return new Peer(Dialect.V2);
    }

    /** A directory or a log that fails while it is told to, or in whose calls other things happen. */
    static final class Trouble {
        boolean on;
        Runnable meanwhile = () -> {};

        AgentsPorts before(AgentsPorts ports) {
            return new AgentsPorts(
                    ports.delivery(), ports.access(), (Directory) faulty(Directory.class, ports.directory()), (EventLog)
                            faulty(EventLog.class, ports.log()));
        }

        private Object faulty(Class<?> port, Object real) {
            return java.lang.reflect.Proxy.newProxyInstance(
                    port.getClassLoader(), new Class<?>[] {port}, (proxy, method, args) -> {
                        if (on) {
                            throw new IllegalStateException("secret: jdbc:h2:mem");
                        }
                        meanwhile.run();
                        Object answer = method.invoke(real, args);
                        meanwhile.run();
                        return answer;
                    });
        }
    }

    /** One socket and whoever is at the other end. */
    final class Peer {
        final FakeSink sink = new FakeSink();
        final AgentsSocket socket;

        Peer() {
            this(Dialect.PLAIN);
        }

        Peer(Dialect dialect) {
            socket = face.open(sink, dialect);
            hand.runAll();
            take();
        }

        Peer(boolean keepHello) {
            socket = face.open(sink, Dialect.PLAIN);
            hand.runAll();
        }

        /** Sends bytes and waits until everything is done. */
        List<String> send(byte[] message) {
            socket.received(AgentsMessage.of(message));
            hand.runAll();
            return take();
        }

        List<String> sendText(String message) {
            socket.received(AgentsMessage.of(message));
            hand.runAll();
            return take();
        }

        List<String> subscribe(Signer signer, String key) {
            return send(signed(signer, key));
        }

        List<String> subscribe(Signer signer, String key, long afterSeq) {
            return send(EnvelopeFixtures.signed(signer, EnvelopeFixtures.subscribe(key, now, afterSeq)));
        }

        List<String> subscribe(Signer signer, Map<String, dev.tidings.envelope.CborValue> members) {
            return send(EnvelopeFixtures.signed(signer, EnvelopeFixtures.action("Subscribe", now, members)));
        }

        List<String> unsubscribe(Signer signer, String key) {
            Map<String, dev.tidings.envelope.CborValue> members =
                    Map.of("key", dev.tidings.envelope.CborValue.text(key));
            return send(EnvelopeFixtures.signed(signer, EnvelopeFixtures.action("Unsubscribe", now, members)));
        }

        /** Subscribes for an account that is not the signer's. */
        List<String> subscribeFor(Signer account, Signer signer, String key) {
            return send(EnvelopeFixtures.signed(
                    signer, account.principal(), EnvelopeFixtures.subscribe(key, now), Map.of()));
        }

        byte[] signed(Signer signer, String key) {
            return EnvelopeFixtures.signed(signer, EnvelopeFixtures.subscribe(key, now));
        }

        List<String> take() {
            return new ArrayList<>(sink.take());
        }
    }
}
