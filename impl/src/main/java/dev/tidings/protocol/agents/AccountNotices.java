package dev.tidings.protocol.agents;

import dev.tidings.AgentActivity;
import dev.tidings.AgentInfo;
import dev.tidings.Role;
import dev.tidings.RunInfo;
import dev.tidings.SessionInfo;
import dev.tidings.StreamKey;
import dev.tidings.Versioned;
import dev.tidings.delivery.Broadcast;
import dev.tidings.delivery.Frame;
import dev.tidings.delivery.Gate;
import dev.tidings.event.AccountHint;
import dev.tidings.event.AgentChanged;
import dev.tidings.event.RunChanged;
import dev.tidings.protocol.json.JsonText;
import java.util.AbstractSet;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What is read before it is told: hints and run changes for account/ keys, hints and the agent's own changes for agents/
 * keys, to each of those who watch in its own way.
 *
 * <p>Whom it concerns and what it says is read when it is sent, on the executor, in one lane a session, so that notices
 * of one session stay in order and a slow read delays no other. What could not be read is tried again, a few times.
 *
 * <p>A notice is a snapshot: for a socket that lags, the last of the same reason about the same thing is enough, and
 * notices of other reasons are not lost for it. A session's state is told once: a notice that waited, and which says
 * what an earlier one has already said, is none.
 *
 * <p>A notice costs what is open, not what there is: the members of an agent are not listed, but those accounts that have a
 * socket are asked for.
 *
 * <p>Threads: any. Source: protocols A5.
 */
final class AccountNotices {
    private static final int MOST_WAITING = 10_000;
    private static final int ATTEMPTS = 3;
    private static final String SESSION_EVENT = "session-event";
    private static final String SESSION_UPDATED = "session-updated";

    private final AgentsPorts ports;
    private final AgentsTimer timer;
    private final AgentsLimits limits;
    private final Lanes lanes;
    private final HintPace sessionEvents;
    private final AtomicLong versions = new AtomicLong();
    private final ToldStates told = new ToldStates(versions);

    AccountNotices(AgentsPorts ports, AgentsLimits limits, Executor executor, AgentsTimer timer) {
        this.ports = ports;
        this.timer = timer;
        this.limits = limits;
        this.lanes = new Lanes(executor, MOST_WAITING);
        this.sessionEvents =
                new HintPace(timer, limits.hintInterval(), sessionId -> submitState(SESSION_EVENT, sessionId));
    }

    /** Whether anybody listens; if not, nothing else here is worth a call. */
    boolean watched() {
        return !watchedAccounts().isEmpty()
                || !ports.delivery()
                        .watched(AgentsTranslator.INSTANCE, StreamKey.Kind.AGENT)
                        .isEmpty();
    }

    private Set<StreamKey> watchedAccounts() {
        return ports.delivery().watched(AgentsTranslator.INSTANCE, StreamKey.Kind.ACCOUNT);
    }

    /** A session grew: told at most once an interval. */
    void sessionGrew(String sessionId) {
        sessionEvents.came(sessionId);
    }

    /** A session's status changed. */
    void sessionStatusChanged(String sessionId) {
        submitState(SESSION_UPDATED, sessionId);
    }

    /** A hint that carries no state. */
    void hint(AccountHint hint) {
        String what = hint.reason() + ' ' + hint.agentId() + ' ' + hint.sessionId();
        String lane = hint.sessionId() != null ? hint.sessionId() : String.valueOf(hint.agentId());
        submit(lane, what + ' ' + hint.accounts(), ATTEMPTS, () -> {
            Recipients recipients = recipients(hint);
            if (!recipients.isEmpty()) {
                // What tells one account does not stand for what tells another.
                String accounts = hint.accounts().isEmpty() ? "" : " " + new TreeSet<>(hint.accounts());
                String snapshotKey = "hint " + what + accounts;
                send(hint, recipients, snapshotKey, versions.incrementAndGet(), value(hint, null, null));
            }
        });
    }

    /** An agent changed: whoever watches it is shown it in the role that it has now. */
    void agentChanged(AgentChanged change) {
        AgentInfo agent = change.value();
        StreamKey key = StreamKey.agent(agent.id());
        // Under a name with the version: callbacks of two transactions swap, and the older must not take the newer's
        // place.
        submit(agent.id(), "agent " + agent.id() + ' ' + change.version(), ATTEMPTS, () -> {
            Set<String> watching = ports.delivery().views(AgentsTranslator.channel(key));
            Map<Role, Frame> byRole = new EnumMap<>(Role.class);
            Map<String, Frame> views = new HashMap<>();
            ports.access().roles(agent.id(), watching).forEach((account, role) -> {
                Frame frame = byRole.computeIfAbsent(role, any -> AgentsFrames.change(agent, any));
                views.put(account, frame);
            });
            publish(key, key.text(), change.version(), views);
        });
    }

    /**
     * A run changed.
     *
     * @param frame its {@code change}
     */
    void runChanged(RunChanged change, Frame frame) {
        RunInfo run = change.value();
        String agentId = run.agentId();
        if (agentId == null || watchedAccounts().isEmpty()) {
            return;
        }
        String lane = run.sessionId() != null ? run.sessionId() : run.id();
        submit(lane, "run " + run.id() + ' ' + change.version(), ATTEMPTS, () -> {
            String snapshotKey = Sources.snapshotKey(StreamKey.run(run.rootRunId()), run.id());
            for (String account : membersAmong(agentId, watchedIds())) {
                Gate gate = ports.access().memberGate(agentId, account);
                publish(account, new Broadcast.Snapshot(snapshotKey, change.version(), frame, gate));
            }
        });
    }

    private void submitState(String reason, String sessionId) {
        submit(sessionId, reason, ATTEMPTS, () -> sendState(reason, sessionId));
    }

    private void sendState(String reason, String sessionId) {
        if (!watched()) {
            return;
        }
        Versioned<SessionInfo> found = ports.directory().session(sessionId).orElse(null);
        if (found == null) {
            return;
        }
        SessionInfo session = found.value();
        String agentId = session.agentId();
        AccountHint hint = AccountHint.toMembers(reason, agentId, sessionId);
        Recipients recipients = recipients(hint);
        if (!recipients.isEmpty()) {
            AgentActivity activity = ports.directory().activity(agentId).orElse(null);
            // Of its own, as its versions may be others than those of a hint by the same name that carries no state.
            String snapshotKey = "state " + reason + ' ' + sessionId;
            // That a transcript grew is news each time; that a status changed, once for each state: two changes that
            // came close after each other read the same one, the later.
            long version = reason.equals(SESSION_UPDATED)
                    ? told.number(
                            sessionId, new ToldStates.State(found.version(), session.childSessionCount(), activity))
                    : versions.incrementAndGet();
            send(hint, recipients, snapshotKey, version, value(hint, activity, session));
        }
    }

    /** Tries work again later if a port fails. */
    private void submit(String lane, String name, int attempts, Runnable work) {
        lanes.submit(lane, name, () -> {
            try {
                work.run();
            } catch (RuntimeException notKnown) {
                if (attempts == 1) {
                    throw notKnown;
                }
                timer.after(limits.hintInterval(), () -> submit(lane, name, attempts - 1, work));
            }
        });
    }

    /**
     * Who gets a hint.
     *
     * @param accounts over their account/ key
     * @param watching over the agent's key: who watches it, and the account under whose key it is told
     */
    private record Recipients(Set<String> accounts, Map<String, String> watching) {
        boolean isEmpty() {
            return accounts.isEmpty() && watching.isEmpty();
        }
    }

    private Recipients recipients(AccountHint hint) {
        String agentId = hint.agentId();
        Set<String> named = hint.accounts();
        if (agentId == null) {
            return new Recipients(openAmong(named), Map.of());
        }
        Set<String> views = views(agentId);
        Set<String> members = new HashSet<>(membersAmong(agentId, views));
        if (named.isEmpty()) {
            members.addAll(membersAmong(agentId, watchedIds()));
        }
        Map<String, String> watching = new HashMap<>();
        String owner = members.containsAll(views) ? null : owner(agentId);
        for (String account : views) {
            // A public reader is told what the owner is, under the owner's key, but for what is its own.
            String under = members.contains(account) || named.contains(account) ? account : owner;
            if (under != null && (named.isEmpty() || named.contains(under))) {
                watching.put(account, under);
            }
        }
        Set<String> open = new HashSet<>(members);
        open.removeIf(account -> !isWatched(account));
        return new Recipients(named.isEmpty() ? open : openAmong(named), watching);
    }

    private @Nullable String owner(String agentId) {
        return ports.directory()
                .agent(agentId)
                .map(agent -> agent.value().account())
                .orElse(null);
    }

    private void send(AccountHint hint, Recipients recipients, String snapshotKey, long version, byte[] value) {
        String agentId = hint.agentId();
        boolean named = !hint.accounts().isEmpty();
        Map<String, Frame> frames = new HashMap<>();
        for (String account : recipients.accounts()) {
            // Accounts that are named need no access: an invitation concerns who has none yet.
            Gate gate = named || agentId == null ? null : ports.access().memberGate(agentId, account);
            publish(account, new Broadcast.Snapshot(snapshotKey, version, frame(frames, account, value), gate));
        }
        if (agentId != null) {
            Map<String, Frame> views = new HashMap<>();
            recipients.watching().forEach((account, under) -> views.put(account, frame(frames, under, value)));
            publish(StreamKey.agent(agentId), snapshotKey, version, views);
        }
    }

    /** Encoded once an account under whose key it is told. */
    private static Frame frame(Map<String, Frame> frames, String account, byte[] value) {
        return frames.computeIfAbsent(account, any -> AgentsFrames.change(StreamKey.account(any), value));
    }

    private static byte[] value(AccountHint hint, @Nullable AgentActivity activity, @Nullable SessionInfo session) {
        return JsonText.object(json -> {
            json.text("reason", hint.reason());
            json.text("agentId", hint.agentId());
            json.text("sessionId", hint.sessionId());
            if (activity != null) {
                json.object("activity", members -> AgentsJson.write(members, activity));
            }
            if (session != null) {
                json.object("session", members -> AgentsJson.write(members, session));
            }
        });
    }

    private Set<String> membersAmong(String agentId, Set<String> accounts) {
        return accounts.isEmpty() ? Set.of() : ports.access().membersAmong(agentId, accounts);
    }

    /** The accounts that watch their own key: a view, so that a notice does not cost a copy of everybody who is there. */
    private Set<String> watchedIds() {
        Set<StreamKey> keys = watchedAccounts();
        return new AbstractSet<>() {
            @Override
            public Iterator<String> iterator() {
                return keys.stream().map(StreamKey::id).iterator();
            }

            @Override
            public int size() {
                return keys.size();
            }

            @Override
            public boolean contains(@Nullable Object account) {
                return account instanceof String id && isWatched(id);
            }
        };
    }

    private Set<String> openAmong(Set<String> accounts) {
        Set<String> open = new HashSet<>(accounts);
        open.removeIf(account -> !isWatched(account));
        return open;
    }

    private boolean isWatched(String account) {
        return !account.isEmpty()
                && account.indexOf('/') < 0
                && watchedAccounts().contains(StreamKey.account(account));
    }

    /** The accounts that watch an agent. */
    private Set<String> views(String agentId) {
        StreamKey key = AgentsEvents.agentKeyOrNull(agentId);
        return key == null ? Set.of() : ports.delivery().views(AgentsTranslator.channel(key));
    }

    private void publish(StreamKey agent, String snapshotKey, long version, Map<String, Frame> views) {
        if (!views.isEmpty()) {
            Frame any = views.values().iterator().next();
            ports.delivery()
                    .publish(
                            AgentsTranslator.channel(agent),
                            new Broadcast.Snapshot(snapshotKey, version, any, null, views));
        }
    }

    private void publish(String account, Broadcast notice) {
        ports.delivery().publish(AgentsTranslator.channel(StreamKey.account(account)), notice);
    }
}
