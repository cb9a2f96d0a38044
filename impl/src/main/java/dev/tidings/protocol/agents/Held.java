package dev.tidings.protocol.agents;

import dev.tidings.StreamKey;
import dev.tidings.delivery.Gate;
import dev.tidings.delivery.Subscription;
import org.jspecify.annotations.Nullable;

/**
 * One subscription of a socket, and what became of it.
 *
 * <p>Threads: what changes is guarded by the lock of its {@link Subscriptions}.
 */
final class Held {

    /** How far it is. */
    enum State {
        /** It is registered; whether it may be made is still being looked at. */
        MAKING,
        /** It is being answered. */
        ANSWERING,
        /** It was answered and has started. */
        STARTED
    }

    /**
     * What it shows.
     *
     * @param key the key as it was asked for
     * @param log the key of the log behind it; null if there is none
     * @param agentId the agent that it belongs to; null for an account
     * @param sessionId the session that it is, or whose run it is
     */
    record Target(
            StreamKey key,
            @Nullable StreamKey log,
            @Nullable String agentId,
            @Nullable String sessionId) {

        /** The same, made of the parts of an equal key as far as that goes: sockets that watch the same share it. */
        Target sharing(StreamKey shared) {
            return shared.equals(key)
                    ? new Target(shared, key.equals(log) ? shared : log, part(agentId, shared), part(sessionId, shared))
                    : this;
        }

        private static @Nullable String part(@Nullable String id, StreamKey shared) {
            return shared.id().equals(id) ? shared.id() : id;
        }
    }

    /** The account that may see it, and whoever signed for that. */
    record Who(String account, String signer) {
        Who {
            // Nearly always; kept for each subscription.
            signer = signer.equals(account) ? account : signer;
        }
    }

    private final Target target;
    private final Who who;
    private final Gate gate;
    private final Subscription subscription;

    // Confined, all of them: under the lock of the subscriptions.
    private State state = State.MAKING;
    private boolean ended;
    private boolean revoked;

    Held(Target target, Who who, Gate gate, Subscription subscription) {
        this.target = target;
        this.who = who;
        this.gate = gate;
        this.subscription = subscription;
    }

    Target target() {
        return target;
    }

    Who who() {
        return who;
    }

    Gate gate() {
        return gate;
    }

    Subscription subscription() {
        return subscription;
    }

    boolean of(String agentId) {
        return agentId.equals(target.agentId());
    }

    boolean started() {
        return state == State.STARTED;
    }

    /** Goes on to the answer; false if what it shows was deleted. */
    boolean answering() {
        state = State.ANSWERING;
        return !ended;
    }

    /** Has started; false if what it shows was deleted meanwhile. */
    boolean start() {
        state = State.STARTED;
        return !ended;
    }

    /** What it shows was deleted; true if the peer has to be told now. */
    boolean end() {
        boolean first = !ended;
        ended = true;
        return first && state == State.STARTED;
    }

    /** Whether access seems to have ended and the peer was not told: worth a look. */
    boolean suspended() {
        boolean open = gate.isOpen();
        revoked &= !open;
        return started() && !open && !revoked;
    }

    /** Access has ended; true if the peer has to be told. */
    boolean revoke() {
        boolean first = suspended();
        revoked |= first;
        return first;
    }
}
