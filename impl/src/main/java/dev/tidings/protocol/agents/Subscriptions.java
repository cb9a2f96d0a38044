package dev.tidings.protocol.agents;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tidings.Head;
import dev.tidings.StreamKey;
import dev.tidings.delivery.Channel;
import dev.tidings.delivery.Gate;
import dev.tidings.delivery.Opening;
import dev.tidings.delivery.Outbox;
import dev.tidings.delivery.Subscription;
import dev.tidings.envelope.VerifiedEnvelope;
import dev.tidings.protocol.agents.SubscribeAction.Refused;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The subscriptions of one socket: the checks that a verified action has to pass, the answer to one that does, and what
 * ends them.
 *
 * <p>Threads: {@link #subscribe} and {@link #unsubscribe} one message at a time, on the executor, since the ports may block;
 * the rest any. Source: protocols A2 12 to 15, A3, A4, A8.
 */
final class Subscriptions {
    /** So often what is to be shown is read again because the socket was sent something newer meanwhile. */
    private static final int READS = 5;

    private final Sources sources;
    private final Holders holders;
    private final int most;
    private final boolean v2;
    private final Outbox outbox;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final List<Held> held = new ArrayList<>(0);

    @GuardedBy("lock")
    private boolean over;

    // Volatile: written with the message at hand, read by the watch over unbound sockets.
    private volatile Held.@Nullable Who bound;

    Subscriptions(Sources sources, Holders holders, int most, boolean v2, Outbox outbox) {
        this.sources = sources;
        this.holders = holders;
        this.most = most;
        this.v2 = v2;
        this.outbox = outbox;
    }

    /** Whether a subscription was made. */
    boolean bound() {
        return bound != null;
    }

    /** Whether the peer wants heartbeats and revocations. */
    boolean v2() {
        return v2;
    }

    /**
     * Makes a subscription and answers it. What a port throws is thrown on; then nothing was answered.
     *
     * @throws Refused by the first check that fails
     */
    void subscribe(VerifiedEnvelope envelope, SubscribeAction action) throws Refused {
        Held.Who who = who(envelope);
        StreamKey key = key(action);
        Source source = sources.find(key, who, action);
        checkSocket(key, who.account());
        make(source, who);
        bound = who;
    }

    /** Who asks: the same object as long as it is the same. */
    private Held.Who who(VerifiedEnvelope envelope) {
        Held.Who known = bound;
        Held.Who asks =
                new Held.Who(envelope.account().text(), envelope.signer().text());
        return known != null && known.equals(asks) ? known : asks;
    }

    /**
     * Ends a subscription, if there is one to that key, and answers.
     *
     * @throws Refused by the first check that fails
     */
    void unsubscribe(VerifiedEnvelope envelope, SubscribeAction action) throws Refused {
        StreamKey key = key(action);
        checkAccount(envelope.account().text());
        drop(key, null);
        outbox.answer(AgentsFrames.unsubscribed(key));
    }

    private static StreamKey key(SubscribeAction action) throws Refused {
        return Optional.ofNullable(action.keyTextOrNull())
                .flatMap(StreamKey::parse)
                .orElseThrow(() -> new Refused(AgentsRefusal.KEY_NOT_AUTHORIZED));
    }

    private void make(Source source, Held.Who who) throws Refused {
        Held.Target target = source.target();
        Gate gate = source.gate();
        Channel channel = source.channel();
        Subscription subscription = outbox.subscribe(channel, gate, who.account());
        Held fresh = new Held(target.sharing(subscription.key()), who, gate, subscription);
        register(fresh);
        boolean made = false;
        try {
            // Read now that the subscription is registered: what commits later waits for it in the window.
            Source.Answer answer = source.answer();
            Opening opening = source.opening(answer);
            if (!gate.isOpen()) {
                source.requireAccess();
            }
            require(fresh, source);
            // Not a part of the opening: the answer to the next message must not overtake this one.
            // Withdrawn with the subscription, should access end before it is sent (law 6).
            fresh.subscription().answer(answer.frame());
            int reads = 1;
            while (!fresh.subscription().startUnlessOutdated(opening)) {
                opening = source.opening(answer);
                if (++reads == READS) {
                    fresh.subscription().start(opening);
                    break;
                }
            }
            made = true;
        } finally {
            if (!made) {
                // An older one to the same key ended when this one was made; the peer is told by the refusal.
                drop(target.key(), fresh);
            }
        }
        if (!started(fresh) && v2) {
            outbox.answer(AgentsFrames.revoked(target.key()));
        }
    }

    private void register(Held fresh) {
        Held old;
        boolean late;
        lock.lock();
        try {
            late = over;
            old = toLocked(fresh.target().key());
            held.remove(old);
            held.add(fresh);
            String agentId = fresh.target().agentId();
            if (agentId != null && !late) {
                holders.add(agentId, this);
            }
        } finally {
            lock.unlock();
        }
        if (old != null) {
            // The engine has replaced it if it was to the same channel; then this does nothing.
            old.subscription().cancel();
        }
        if (late) {
            closed();
        }
    }

    private void require(Held fresh, Source source) throws Refused {
        lock.lock();
        try {
            if (!fresh.answering()) {
                throw new Refused(source.missing());
            }
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private @Nullable Held toLocked(StreamKey key) {
        for (Held one : held) {
            if (one.target().key().equals(key)) {
                return one;
            }
        }
        return null;
    }

    private boolean started(Held fresh) {
        lock.lock();
        try {
            return fresh.start();
        } finally {
            lock.unlock();
        }
    }

    /** Takes a subscription away: that one, or whichever there is to the key. */
    private void drop(StreamKey key, @Nullable Held only) {
        Held gone;
        lock.lock();
        try {
            gone = only == null ? toLocked(key) : only;
            held.remove(gone);
            letGoLocked(gone);
        } finally {
            lock.unlock();
        }
        if (gone != null) {
            gone.subscription().cancel();
        }
    }

    @GuardedBy("lock")
    private void letGoLocked(@Nullable Held gone) {
        String agentId = gone == null ? null : gone.target().agentId();
        if (agentId != null && held.stream().noneMatch(other -> other.of(agentId))) {
            holders.remove(agentId, this);
        }
    }

    /** Something was deleted: subscriptions to it end, and the peer is told if it knows how. Never blocks. */
    void end(Predicate<Held.Target> deleted) {
        List<Held> ended = new ArrayList<>();
        List<StreamKey> told = new ArrayList<>();
        lock.lock();
        try {
            for (Held one : List.copyOf(held)) {
                if (deleted.test(one.target())) {
                    if (one.end()) {
                        told.add(one.target().key());
                    }
                    held.remove(one);
                    letGoLocked(one);
                    ended.add(one);
                }
            }
        } finally {
            lock.unlock();
        }
        ended.forEach(one -> one.subscription().cancel());
        if (v2) {
            told.forEach(key -> outbox.answer(AgentsFrames.revoked(key)));
        }
    }

    /** The grants were looked at: a peer that knows how is told of what it may no longer read. May block on the grants. */
    void tellRevoked() {
        if (!v2) {
            return;
        }
        for (Held one : suspended()) {
            if (sources.denied(one)) {
                boolean tell;
                lock.lock();
                try {
                    tell = held.contains(one) && one.revoke();
                } finally {
                    lock.unlock();
                }
                if (tell) {
                    outbox.answer(AgentsFrames.revoked(one.target().key()));
                }
            }
        }
    }

    private List<Held> suspended() {
        lock.lock();
        try {
            return held.stream().filter(Held::suspended).toList();
        } finally {
            lock.unlock();
        }
    }

    /** Adds the keys of the logs that a heartbeat of this socket tells of. */
    void addLogs(Set<StreamKey> logs) {
        beating().forEach(one -> logs.add(one.target().log()));
    }

    /** Sends a heartbeat: how far the logs reach of what may be read. */
    void beat(Map<StreamKey, Head> heads) {
        Map<StreamKey, Long> shown = new LinkedHashMap<>();
        List<Gate> gates = new ArrayList<>();
        for (Held one : beating()) {
            Held.Target target = one.target();
            Head head = heads.get(target.log());
            if (head != null) {
                // A run tree has no number of its own: its position is what a cursor is compared with.
                shown.put(target.key(), target.key().kind() == StreamKey.Kind.RUN ? head.position() : head.seq());
                gates.add(one.gate());
            }
        }
        // It may have to wait: what may be read no more by then is not told (law 6), and the next one tells the rest.
        outbox.answer(AgentsFrames.heartbeat(shown), gates, AgentsFrames.heartbeat(Map.of()));
    }

    private List<Held> beating() {
        lock.lock();
        try {
            return held.stream()
                    .filter(one ->
                            one.started() && one.gate().isOpen() && one.target().log() != null)
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    /** The socket is gone; nothing is held any more. */
    void closed() {
        lock.lock();
        try {
            over = true;
            held.forEach(one -> {
                String agentId = one.target().agentId();
                if (agentId != null) {
                    holders.remove(agentId, this);
                }
            });
            held.clear();
        } finally {
            lock.unlock();
        }
    }

    /** The checks of the socket itself come last. */
    private void checkSocket(StreamKey key, String account) throws Refused {
        checkAccount(account);
        lock.lock();
        try {
            if (held.size() >= most && toLocked(key) == null) {
                throw new Refused(AgentsRefusal.TOO_MANY_SUBSCRIPTIONS);
            }
        } finally {
            lock.unlock();
        }
    }

    private void checkAccount(String account) throws Refused {
        Held.Who known = bound;
        if (known != null && !account.equals(known.account())) {
            throw new Refused(AgentsRefusal.ACCOUNT_SWITCH);
        }
    }
}
