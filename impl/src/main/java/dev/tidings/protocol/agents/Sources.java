package dev.tidings.protocol.agents;

import dev.tidings.RunInfo;
import dev.tidings.SessionInfo;
import dev.tidings.StreamKey;
import dev.tidings.Versioned;
import dev.tidings.delivery.Channel;
import dev.tidings.delivery.Frame;
import dev.tidings.delivery.Gate;
import dev.tidings.delivery.Opening;
import dev.tidings.protocol.agents.SubscribeAction.Refused;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What there is behind a key, and whether an account may see it now.
 *
 * <p>Threads: any; calls may block on the ports, and throw what they throw. Source: protocols A3, A4.
 */
final class Sources {
    private static final Opening NOTHING = new Opening(0, List.of(), Map.of(), 0, 0, List.of(), Map.of());

    private final AgentsPorts ports;
    private final @Nullable RunningTexts texts;

    /** @param texts the text so far of what runs, for whoever is to get it; null for others */
    Sources(AgentsPorts ports, @Nullable RunningTexts texts) {
        this.ports = ports;
        this.texts = texts;
    }

    /**
     * Looks for what a key names.
     *
     * @throws Refused by the first check that fails
     */
    Source find(StreamKey key, Held.Who who, SubscribeAction action) throws Refused {
        return switch (key.kind()) {
            case ACCOUNT -> account(key, who);
            case AGENT -> agent(key, who);
            case SESSION -> session(key, who, action);
            case RUN -> run(key, who, action);
        };
    }

    /** Whether access has ended for good, as far as can be known now: if nobody knows, it has not. */
    boolean denied(Held held) {
        String agentId = held.target().agentId();
        try {
            String account = held.who().account();
            return !ports.access().signs(account, held.who().signer())
                    || (agentId != null && ports.access().role(agentId, account).isEmpty());
        } catch (RuntimeException unknown) {
            return false;
        }
    }

    private Source account(StreamKey key, Held.Who who) throws Refused {
        if (!key.id().equals(who.account())) {
            throw new Refused(AgentsRefusal.KEY_NOT_AUTHORIZED);
        }
        // An account's own key is always its own, if not its signer's; what comes over it has a gate for each agent.
        Gate gate = ports.access().signerGate(who.account(), who.signer());
        Held.Target target = new Held.Target(key, null, null, null);
        return new Plain(target, who.account(), AgentsRefusal.KEY_NOT_AUTHORIZED, gate);
    }

    private Source agent(StreamKey key, Held.Who who) throws Refused {
        requireRole(key.id(), who.account(), AgentsRefusal.AGENT_NOT_FOUND);
        Held.Target target = new Held.Target(key, null, key.id(), null);
        return new Plain(target, who.account(), AgentsRefusal.AGENT_NOT_FOUND, gate(key.id(), who));
    }

    private Source session(StreamKey key, Held.Who who, SubscribeAction action) throws Refused {
        String agentId = session(key).value().agentId();
        requireRole(agentId, who.account(), AgentsRefusal.SESSION_NOT_FOUND);
        Held.Target target = new Held.Target(key, key, agentId, key.id());
        return new OfSession(target, who.account(), action.asked(), gate(agentId, who));
    }

    /** A tree may be seen by whoever may see the run that was asked for, and the root. */
    private Source run(StreamKey key, Held.Who who, SubscribeAction action) throws Refused {
        String account = who.account();
        RunInfo requested = run(key.id());
        RunInfo root = requested.rootRunId().equals(requested.id()) ? requested : run(requested.rootRunId());
        String agentId = agentOf(root);
        requireRole(agentOf(requested), account, AgentsRefusal.RUN_NOT_FOUND);
        if (!agentId.equals(requested.agentId())) {
            requireRole(agentId, account, AgentsRefusal.RUN_NOT_FOUND);
        }
        Held.Target target = new Held.Target(key, StreamKey.run(root.id()), agentId, root.sessionId());
        return new OfTree(target, root.id(), account, action.asked(), gate(agentId, who));
    }

    private Gate gate(String agentId, Held.Who who) {
        return ports.access().gate(agentId, who.account(), who.signer());
    }

    private RunInfo run(String runId) throws Refused {
        return ports.directory()
                .run(runId)
                .map(Versioned::value)
                .orElseThrow(() -> new Refused(AgentsRefusal.RUN_NOT_FOUND));
    }

    private static String agentOf(RunInfo run) throws Refused {
        return Optional.ofNullable(run.agentId()).orElseThrow(() -> new Refused(AgentsRefusal.RUN_NOT_FOUND));
    }

    private Versioned<SessionInfo> session(StreamKey key) throws Refused {
        return ports.directory().session(key.id()).orElseThrow(() -> new Refused(AgentsRefusal.SESSION_NOT_FOUND));
    }

    private void requireRole(String agentId, String account, AgentsRefusal otherwise) throws Refused {
        if (ports.access().role(agentId, account).isEmpty()) {
            throw new Refused(otherwise);
        }
    }

    /** What all have in common. */
    private abstract class Base implements Source {
        private final Held.Target target;
        private final String account;
        private final AgentsRefusal missing;
        private final Gate gate;

        Base(Held.Target target, String account, AgentsRefusal missing, Gate gate) {
            this.target = target;
            this.account = account;
            this.missing = missing;
            this.gate = gate;
        }

        @Override
        public Held.Target target() {
            return target;
        }

        @Override
        public AgentsRefusal missing() {
            return missing;
        }

        @Override
        public Gate gate() {
            return gate;
        }

        @Override
        public Channel channel() {
            return AgentsTranslator.channel(target.key());
        }

        @Override
        public void requireAccess() throws Refused {
            String agentId = target.agentId();
            if (agentId != null) {
                requireRole(agentId, account, missing);
            }
        }

        Answer subscribed(Standing standing) {
            return new Answer(AgentsFrames.subscribed(target.key(), account, standing), standing);
        }

        Answer subscribed() {
            return new Answer(AgentsFrames.subscribed(target.key(), account), null);
        }
    }

    /** A key without a log. */
    private final class Plain extends Base {
        Plain(Held.Target target, String account, AgentsRefusal missing, Gate gate) {
            super(target, account, missing, gate);
        }

        @Override
        public Answer answer() {
            return subscribed();
        }

        @Override
        public Opening opening(Answer answer) {
            return NOTHING;
        }
    }

    private final class OfSession extends Base {
        private final Standing.Asked asked;

        OfSession(Held.Target target, String account, Standing.Asked asked, Gate gate) {
            super(target, account, AgentsRefusal.SESSION_NOT_FOUND, gate);
            this.asked = asked;
        }

        @Override
        public Answer answer() {
            return subscribed(Standing.of(ports.log(), target().key(), asked));
        }

        @Override
        public Opening opening(Answer answer) throws Refused {
            StreamKey key = target().key();
            Versioned<SessionInfo> session = session(key);
            List<Frame> behind = new ArrayList<>();
            Map<String, Long> seenText = new HashMap<>();
            if (texts != null) {
                // Read behind the head: a partial whose message is in the log by then is no longer in progress.
                for (RunningTexts.SoFar soFar : texts.of(key.id())) {
                    behind.add(AgentsFrames.textSoFar(key.id(), soFar.partialId(), soFar.text()));
                    seenText.put(soFar.partialId(), soFar.end());
                }
            }
            return begin(
                    answer,
                    List.of(AgentsFrames.change(session.value())),
                    Map.of(key.text(), session.version()),
                    behind,
                    seenText);
        }
    }

    private final class OfTree extends Base {
        private final String rootRunId;
        private final Standing.Asked asked;

        OfTree(Held.Target target, String rootRunId, String account, Standing.Asked asked, Gate gate) {
            super(target, account, AgentsRefusal.RUN_NOT_FOUND, gate);
            this.rootRunId = rootRunId;
            this.asked = asked;
        }

        @Override
        public Channel channel() {
            return RunTranslator.channel(target().key(), rootRunId);
        }

        @Override
        public Answer answer() {
            return subscribed(Standing.ofTree(ports.log(), StreamKey.run(rootRunId), asked));
        }

        @Override
        public Opening opening(Answer answer) throws Refused {
            StreamKey key = target().key();
            List<Frame> frames = new ArrayList<>();
            Map<String, Long> versions = new HashMap<>();
            for (Versioned<RunInfo> run : ports.directory().tree(rootRunId)) {
                if (run.value().agentId() != null) {
                    frames.add(AgentsFrames.change(key, AgentsJson.run(run.value())));
                    versions.put(snapshotKey(key, run.value().id()), run.version());
                }
            }
            if (frames.isEmpty()) {
                throw new Refused(AgentsRefusal.RUN_NOT_FOUND);
            }
            return begin(answer, frames, versions, List.of(), Map.of());
        }
    }

    /** What a run's {@code change} under a key is a snapshot of. */
    static String snapshotKey(StreamKey key, String runId) {
        return key.text() + ' ' + runId;
    }

    private static Opening begin(
            Source.Answer answer,
            List<Frame> frames,
            Map<String, Long> seen,
            List<Frame> behind,
            Map<String, Long> seenText) {
        Standing standing = answer.standing();
        if (standing == null) {
            return NOTHING;
        }
        return new Opening(standing.cursor(), frames, seen, standing.head(), standing.leaveOut(), behind, seenText);
    }
}
