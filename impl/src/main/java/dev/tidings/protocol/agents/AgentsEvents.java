package dev.tidings.protocol.agents;

import dev.tidings.SessionInfo;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.delivery.Broadcast;
import dev.tidings.event.AccountHint;
import dev.tidings.event.AgentChanged;
import dev.tidings.event.EntriesStored;
import dev.tidings.event.RunChanged;
import dev.tidings.event.SessionChanged;
import dev.tidings.event.Signal;
import java.util.concurrent.Executor;

/**
 * Domain events to subscribers of the Agents protocol: which event goes where.
 *
 * <p>The engine gets stored entries by itself; here they only become hints to accounts. Nothing is read or encoded for
 * keys that nobody watches.
 *
 * <p>Threads: one at a time, in the order of the commits as this node saw them. No method blocks. Source: protocols A5,
 * of which sessions/ and account/ are served.
 */
public final class AgentsEvents {
    private static final System.Logger LOG = System.getLogger(AgentsEvents.class.getName());
    private static final String SESSION_CREATED = "session-created";

    private final AgentsPorts ports;
    private final AccountNotices notices;
    private final KnownStatuses statuses = new KnownStatuses();

    /**
     * The translation of events.
     *
     * @param executor runs what reads the directory and the grants
     */
    public AgentsEvents(AgentsPorts ports, AgentsLimits limits, Executor executor, AgentsTimer timer) {
        this.ports = ports;
        this.notices = new AccountNotices(ports, limits, executor, timer);
    }

    /** Entries were stored: a hint that the session grew, if one of them is shown. */
    public void stored(EntriesStored stored) {
        if (stored.stream().kind() == StreamKey.Kind.SESSION
                && stored.entries().stream().anyMatch(StoredEntry::numbered)
                && notices.watched()) {
            notices.sessionGrew(stored.stream().id());
        }
    }

    /** A session was made or changed: a {@code change} to its subscribers, a hint to accounts. */
    public void changed(SessionChanged change) {
        SessionInfo session = change.value();
        StreamKey key = StreamKey.session(session.id());
        if (watched(key)) {
            ports.delivery()
                    .publish(
                            AgentsTranslator.channel(key),
                            new Broadcast.Snapshot(key.text(), change.version(), AgentsFrames.change(session), null));
        }
        boolean statusChanged = statuses.changed(change);
        if (!notices.watched()) {
            return;
        }
        if (change.created()) {
            notices.hint(AccountHint.toMembers(SESSION_CREATED, session.agentId(), session.id()));
        } else if (statusChanged) {
            notices.sessionStatusChanged(session.id());
        }
    }

    /** An agent was made or changed: only agents/ keys show it, and those are not served. */
    public void changed(AgentChanged change) {}

    /** A run was made or changed: a {@code change} to the accounts of its agent's members. */
    public void changed(RunChanged change) {
        if (notices.watched()) {
            notices.runChanged(change);
        }
    }

    /** Something to tell accounts. */
    public void hinted(AccountHint hint) {
        if (notices.watched()) {
            notices.hint(hint);
        }
    }

    /** Something that is shown and not stored. */
    public void signalled(Signal signal) {
        if (!(signal instanceof Signal.Partial partial)) {
            return;
        }
        StreamKey key = StreamKey.session(partial.sessionId());
        if (!watched(key)) {
            LOG.log(System.Logger.Level.DEBUG, "[agents/ws] skip partial; no subscription");
            return;
        }
        LOG.log(System.Logger.Level.DEBUG, "[agents/ws] publish partial");
        // Usage and activity stand alone: losing one of them takes nothing from the text.
        boolean text = partial.textDelta() != null || partial.done();
        ports.delivery()
                .publish(
                        AgentsTranslator.channel(key),
                        new Broadcast.Signal(
                                AgentsFrames.appendPartial(partial),
                                text ? partial.partialId() : null,
                                partial.done(),
                                null));
    }

    private boolean watched(StreamKey key) {
        return ports.delivery().watched(AgentsTranslator.INSTANCE, key.kind()).contains(key);
    }
}
