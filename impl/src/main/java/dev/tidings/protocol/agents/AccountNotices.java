package dev.tidings.protocol.agents;

import dev.tidings.AgentActivity;
import dev.tidings.RunInfo;
import dev.tidings.SessionInfo;
import dev.tidings.StreamKey;
import dev.tidings.delivery.Broadcast;
import dev.tidings.delivery.Frame;
import dev.tidings.delivery.Gate;
import dev.tidings.event.AccountHint;
import dev.tidings.event.RunChanged;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What account/ keys carry: hints and run changes, once each, to those members of the agent that have a socket open.
 *
 * <p>Whom it concerns and what it says is read when it is sent, on the executor, in one lane a session, so that notices
 * of one session stay in order and a slow read delays no other. What could not be read is tried again, a few times.
 *
 * <p>A notice is a snapshot: for a socket that lags, the last of the same reason about the same thing is enough, and
 * notices of other reasons are not lost for it.
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
        return !watchedAccounts().isEmpty();
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
        submit(lane, what + ' ' + hint.accounts(), ATTEMPTS, () -> send(hint, what, null, null));
    }

    /** A run changed. */
    void runChanged(RunChanged change) {
        RunInfo run = change.value();
        String agentId = run.agentId();
        if (agentId == null) {
            return;
        }
        String lane = run.sessionId() != null ? run.sessionId() : run.id();
        submit(lane, "run " + run.id() + ' ' + change.version(), ATTEMPTS, () -> {
            Set<String> recipients = openMembers(agentId);
            if (recipients.isEmpty()) {
                return;
            }
            Frame frame = AgentsFrames.change(run);
            String snapshotKey = StreamKey.run(run.rootRunId()).text() + ' ' + run.id();
            for (String account : recipients) {
                publish(
                        account,
                        new Broadcast.Snapshot(
                                snapshotKey,
                                change.version(),
                                frame,
                                ports.access().memberGate(agentId, account)));
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
        SessionInfo session =
                ports.directory().session(sessionId).map(found -> found.value()).orElse(null);
        if (session == null) {
            return;
        }
        String agentId = session.agentId();
        if (openMembers(agentId).isEmpty()) {
            return;
        }
        AgentActivity activity = ports.directory().activity(agentId).orElse(null);
        AccountHint hint = AccountHint.toMembers(reason, agentId, sessionId);
        send(hint, reason + ' ' + agentId + ' ' + sessionId, activity, session);
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

    private void send(AccountHint hint, String what, @Nullable AgentActivity activity, @Nullable SessionInfo session) {
        String agentId = hint.agentId();
        boolean named = !hint.accounts().isEmpty();
        Set<String> recipients =
                named || agentId == null ? common(watchedAccounts(), hint.accounts()) : openMembers(agentId);
        if (recipients.isEmpty()) {
            return;
        }
        byte[] value = value(hint, activity, session);
        long version = versions.incrementAndGet();
        for (String account : recipients) {
            Frame frame = AgentsFrames.change(StreamKey.account(account), value);
            // Accounts that are named need no access: an invitation concerns who has none yet.
            Gate gate = named || agentId == null ? null : ports.access().memberGate(agentId, account);
            publish(account, new Broadcast.Snapshot("hint " + what, version, frame, gate));
        }
    }

    private static byte[] value(AccountHint hint, @Nullable AgentActivity activity, @Nullable SessionInfo session) {
        return JsonObjectWriter.object(json -> {
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

    private Set<String> openMembers(String agentId) {
        Set<StreamKey> watched = watchedAccounts();
        return watched.isEmpty() ? Set.of() : common(watched, ports.access().members(agentId));
    }

    /** Costs as much as the smaller of the two. */
    private static Set<String> common(Set<StreamKey> watched, Set<String> accounts) {
        Set<String> common = new HashSet<>();
        if (watched.size() < accounts.size()) {
            watched.forEach(key -> addIf(accounts.contains(key.id()), key.id(), common));
        } else {
            accounts.forEach(account -> addIf(isWatched(watched, account), account, common));
        }
        return common;
    }

    private static void addIf(boolean wanted, String account, Set<String> to) {
        if (wanted) {
            to.add(account);
        }
    }

    private static boolean isWatched(Set<StreamKey> watched, String account) {
        return !account.isEmpty() && account.indexOf('/') < 0 && watched.contains(StreamKey.account(account));
    }

    private void publish(String account, Broadcast notice) {
        ports.delivery().publish(AgentsTranslator.channel(StreamKey.account(account)), notice);
    }
}
