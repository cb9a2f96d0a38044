package dev.tidings.protocol.agents;

import dev.tidings.SessionInfo;
import dev.tidings.StreamKey;
import dev.tidings.Versioned;
import dev.tidings.delivery.Gate;
import dev.tidings.delivery.Outbox;
import dev.tidings.delivery.Subscription;
import dev.tidings.envelope.VerifiedEnvelope;
import dev.tidings.protocol.agents.SubscribeAction.Refused;
import dev.tidings.spi.Directory;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The subscriptions of one socket: the checks that a verified action has to pass, and the answer to one that does.
 *
 * <p>Threads: one message at a time, on the executor, since the ports may block; {@link #bound} any. Source: protocols
 * A2 12 to 15, A3, A4.
 */
final class Subscriptions {
    private static final String SUBSCRIBE = "Subscribe";

    private final AgentsPorts ports;
    private final int most;
    private final Outbox outbox;

    // Confined: the message at hand; handed on through the executor.
    private final Set<StreamKey> keys = new HashSet<>();

    // Volatile: written with the message at hand, read by the watch over unbound sockets.
    private volatile @Nullable String boundAccount;

    Subscriptions(AgentsPorts ports, int most, Outbox outbox) {
        this.ports = ports;
        this.most = most;
        this.outbox = outbox;
    }

    /** Whether a subscription was made. */
    boolean bound() {
        return boundAccount != null;
    }

    /**
     * Makes a subscription and answers it. What a port throws is thrown on; then nothing was answered.
     *
     * @throws Refused by the first check that fails
     */
    void subscribe(VerifiedEnvelope envelope, SubscribeAction action) throws Refused {
        if (!envelope.actionName().equals(SUBSCRIBE)) {
            throw new Refused(AgentsRefusal.EXPECTED_SUBSCRIBE);
        }
        String account = envelope.account().text();
        StreamKey key = Optional.ofNullable(action.keyTextOrNull())
                .flatMap(StreamKey::parse)
                .orElseThrow(() -> new Refused(AgentsRefusal.KEY_NOT_AUTHORIZED));
        switch (key.kind()) {
            case ACCOUNT -> subscribeToAccount(key, envelope);
            case SESSION -> subscribeToSession(key, envelope, action);
            case AGENT -> refuseAgent(key, account);
            case RUN -> refuseRun(key, account, action);
        }
        keys.add(key);
        boundAccount = account;
    }

    private void subscribeToAccount(StreamKey key, VerifiedEnvelope envelope) throws Refused {
        String account = envelope.account().text();
        if (!key.id().equals(account)) {
            throw new Refused(AgentsRefusal.KEY_NOT_AUTHORIZED);
        }
        checkSocket(key, account);
        // An account's own key is always its own, if not its signer's; what comes over it has a gate for each agent.
        Gate gate = ports.access().signerGate(account, envelope.signer().text());
        Subscription subscription = outbox.subscribe(AgentsTranslator.channel(key), gate);
        outbox.answer(AgentsFrames.subscribed(key, account));
        subscription.start(0, List.of(), Map.of());
    }

    private void subscribeToSession(StreamKey key, VerifiedEnvelope envelope, SubscribeAction action) throws Refused {
        String account = envelope.account().text();
        String agentId = session(key).value().agentId();
        requireRole(agentId, account, AgentsRefusal.SESSION_NOT_FOUND);
        Standing.Asked asked = action.asked();
        checkSocket(key, account);
        Gate gate = ports.access().gate(agentId, account, envelope.signer().text());
        Subscription subscription = outbox.subscribe(AgentsTranslator.channel(key), gate);
        boolean started = false;
        try {
            // Read now that the subscription is registered: what commits later waits for it in the window.
            Standing standing = Standing.of(ports.log(), key, asked);
            Versioned<SessionInfo> session = session(key);
            if (!gate.isOpen()) {
                requireRole(agentId, account, AgentsRefusal.SESSION_NOT_FOUND);
            }
            // Not a part of the opening: the answer to the next message must not overtake this one.
            // Withdrawn with the subscription, should access end before it is sent (law 6).
            subscription.answer(AgentsFrames.subscribed(key, account, standing));
            subscription.start(
                    standing.cursor(),
                    List.of(AgentsFrames.change(session.value())),
                    Map.of(key.text(), session.version()));
            started = true;
        } finally {
            if (!started) {
                // An older one to the same key ended when this one was made; the peer is told by the refusal.
                subscription.cancel();
                keys.remove(key);
            }
        }
    }

    private Versioned<SessionInfo> session(StreamKey key) throws Refused {
        Directory directory = ports.directory();
        return directory.session(key.id()).orElseThrow(() -> new Refused(AgentsRefusal.SESSION_NOT_FOUND));
    }

    /** Checks as for a key that is served; the stream itself is still to come. */
    private void refuseAgent(StreamKey key, String account) throws Refused {
        requireRole(key.id(), account, AgentsRefusal.AGENT_NOT_FOUND);
        checkSocket(key, account);
        throw new Refused(AgentsRefusal.KEY_NOT_SERVED);
    }

    private void refuseRun(StreamKey key, String account, SubscribeAction action) throws Refused {
        String agentId = ports.directory()
                .run(key.id())
                .map(run -> run.value().agentId())
                .orElseThrow(() -> new Refused(AgentsRefusal.RUN_NOT_FOUND));
        requireRole(agentId, account, AgentsRefusal.RUN_NOT_FOUND);
        action.asked();
        checkSocket(key, account);
        throw new Refused(AgentsRefusal.KEY_NOT_SERVED);
    }

    private void requireRole(String agentId, String account, AgentsRefusal otherwise) throws Refused {
        if (ports.access().role(agentId, account).isEmpty()) {
            throw new Refused(otherwise);
        }
    }

    /** The checks of the socket itself come last. */
    private void checkSocket(StreamKey key, String account) throws Refused {
        if (boundAccount != null && !account.equals(boundAccount)) {
            throw new Refused(AgentsRefusal.ACCOUNT_SWITCH);
        }
        if (keys.size() >= most && !keys.contains(key)) {
            throw new Refused(AgentsRefusal.TOO_MANY_SUBSCRIPTIONS);
        }
    }
}
