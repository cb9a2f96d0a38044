package dev.tidings.protocol.agents;

import dev.tidings.RunInfo;
import dev.tidings.SessionInfo;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.delivery.Broadcast;
import dev.tidings.delivery.Channel;
import dev.tidings.delivery.Delivery;
import dev.tidings.delivery.Frame;
import dev.tidings.event.AccountHint;
import dev.tidings.event.AgentChanged;
import dev.tidings.event.EntriesStored;
import dev.tidings.event.RunChanged;
import dev.tidings.event.SessionChanged;
import dev.tidings.event.SessionDeleted;
import dev.tidings.event.Signal;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Domain events to subscribers of the Agents protocol: which event goes where.
 *
 * <p>The engine gets stored entries by itself; here they only become hints to accounts. Nothing is read or encoded for
 * keys that nobody watches. Whoever holds several keys that get the same {@code change} is sent it once: that is the
 * engine's doing, by the key and version of the snapshot.
 *
 * <p>Threads: one at a time, in the order of the commits as this node saw them. No method blocks. Source: protocols A5.
 */
public final class AgentsEvents {
    private static final System.Logger LOG = System.getLogger(AgentsEvents.class.getName());
    private static final String SESSION_CREATED = "session-created";

    private final AgentsPorts ports;
    private final AccountNotices notices;
    private final RunningTexts texts;
    private final KnownStatuses statuses = new KnownStatuses();

    /**
     * The translation of events.
     *
     * @param executor runs what reads the directory and the grants
     */
    public AgentsEvents(AgentsPorts ports, AgentsLimits limits, Executor executor, AgentsTimer timer) {
        this.ports = ports;
        this.notices = new AccountNotices(ports, limits, executor, timer);
        this.texts =
                new RunningTexts(limits.maxRunningTextBytes(), ports.delivery().tally()::runningTextCut);
    }

    /** The text so far of what runs. */
    RunningTexts texts() {
        return texts;
    }

    /** Entries were stored: a hint that the session grew, if one of them is shown. */
    public void stored(EntriesStored stored) {
        if (stored.stream().kind() == StreamKey.Kind.SESSION
                && stored.entries().stream().anyMatch(StoredEntry::numbered)
                && notices.watched()) {
            notices.sessionGrew(stored.stream().id());
        }
    }

    /** A session was made or changed: a {@code change} to its subscribers and its agent's, a hint to accounts. */
    public void changed(SessionChanged change) {
        SessionInfo session = change.value();
        StreamKey key = StreamKey.session(session.id());
        StreamKey agent = agentKeyOrNull(session.agentId());
        if (agent != null && !watched(agent)) {
            agent = null;
        }
        if (watched(key) || agent != null) {
            Broadcast snapshot =
                    new Broadcast.Snapshot(key.text(), change.version(), AgentsFrames.change(session), null);
            delivery().publish(AgentsTranslator.channel(key), snapshot);
            if (agent != null) {
                delivery().publish(AgentsTranslator.channel(agent), snapshot);
            }
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

    /** An agent was made or changed: a {@code change} to its subscribers, to each in the role that it has. */
    public void changed(AgentChanged change) {
        StreamKey key = agentKeyOrNull(change.value().id());
        if (key != null && watched(key)) {
            notices.agentChanged(change);
        }
    }

    /** A run was made or changed: a {@code change} to subscribers of its tree and the accounts of its agent's members. */
    public void changed(RunChanged change) {
        RunInfo run = change.value();
        if (run.agentId() == null) {
            return;
        }
        StreamKey root = StreamKey.run(run.rootRunId());
        List<Channel> shown = delivery().channels(root);
        if (shown.isEmpty() && !notices.watched()) {
            return;
        }
        byte[] value = AgentsJson.run(run);
        Frame underRoot = AgentsFrames.change(root, value);
        for (Channel channel : shown) {
            if (channel.translator() instanceof RunTranslator tree) {
                StreamKey key = tree.requested();
                Frame frame = key.equals(root) ? underRoot : AgentsFrames.change(key, value);
                String snapshotKey = Sources.snapshotKey(key, run.id());
                delivery().publish(channel, new Broadcast.Snapshot(snapshotKey, change.version(), frame, null));
            }
        }
        if (notices.watched()) {
            notices.runChanged(change, underRoot);
        }
    }

    /** Something to tell accounts. */
    public void hinted(AccountHint hint) {
        if (notices.watched()) {
            notices.hint(hint);
        }
    }

    /** A session was deleted: nothing of it is remembered. Whoever deleted it also fires the hint that tells of it. */
    public void deleted(SessionDeleted event) {
        statuses.forget(event.sessionId());
        texts.forget(event.sessionId());
    }

    /** Something that is shown and not stored. */
    public void signalled(Signal signal) {
        if (signal instanceof Signal.Partial partial) {
            signalled(partial);
        } else if (signal instanceof Signal.Progress progress) {
            signalled(progress);
        }
    }

    private void signalled(Signal.Progress progress) {
        for (Channel channel : delivery().channels(StreamKey.run(progress.rootRunId()))) {
            if (channel.translator() instanceof RunTranslator tree) {
                Frame frame = AgentsFrames.appendPartial(tree.requested(), progress);
                delivery().publish(channel, new Broadcast.Signal(frame, null, false, null));
            }
        }
    }

    private void signalled(Signal.Partial partial) {
        // Noted before it is published, whether or not somebody watches: somebody may join.
        RunningTexts.Piece piece = piece(partial);
        StreamKey key = StreamKey.session(partial.sessionId());
        if (!watched(key)) {
            LOG.log(System.Logger.Level.DEBUG, "[agents/ws] skip partial; no subscription");
            return;
        }
        LOG.log(System.Logger.Level.DEBUG, "[agents/ws] publish partial");
        Channel channel = AgentsTranslator.channel(key);
        if (piece != null) {
            delivery().publish(channel, text(partial, piece));
        }
        if (partial.done() || partial.usage() != null || partial.activity() != null) {
            // Usage and activity stand alone: losing one of them takes nothing from the text.
            Signal.Partial rest = new Signal.Partial(
                    partial.sessionId(),
                    partial.partialId(),
                    null,
                    partial.done(),
                    partial.usage(),
                    partial.activity());
            delivery()
                    .publish(
                            channel,
                            new Broadcast.Signal(
                                    AgentsFrames.appendPartial(rest),
                                    rest.done() ? rest.partialId() : null,
                                    rest.done(),
                                    null));
        }
    }

    private RunningTexts.@Nullable Piece piece(Signal.Partial partial) {
        String delta = partial.textDelta();
        RunningTexts.Piece piece = delta == null ? null : texts.add(partial.sessionId(), partial.partialId(), delta);
        if (partial.done()) {
            texts.end(partial.sessionId(), partial.partialId());
        }
        return piece == null || piece.text().isEmpty() ? null : piece;
    }

    private static Broadcast text(Signal.Partial partial, RunningTexts.Piece piece) {
        String sessionId = partial.sessionId();
        String partialId = partial.partialId();
        return new Broadcast.Signal(
                AgentsFrames.textDelta(sessionId, partialId, piece.text()),
                partialId,
                false,
                null,
                new Broadcast.Text(
                        piece.offset(),
                        piece.text(),
                        (offset, joined) -> AgentsFrames.textDelta(sessionId, partialId, joined)));
    }

    private Delivery delivery() {
        return ports.delivery();
    }

    private boolean watched(StreamKey key) {
        return delivery().watched(AgentsTranslator.INSTANCE, key.kind()).contains(key);
    }

    /** An agent whose id is no part of a key cannot be watched. */
    static @Nullable StreamKey agentKeyOrNull(String agentId) {
        return agentId.isEmpty() || agentId.indexOf('/') >= 0 ? null : StreamKey.agent(agentId);
    }
}
