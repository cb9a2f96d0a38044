package dev.tidings.protocol.agents;

import dev.tidings.AgentInfo;
import dev.tidings.SessionInfo;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.Versioned;
import dev.tidings.envelope.CborValue;
import dev.tidings.envelope.CborValue.MapValue;
import dev.tidings.envelope.DagCbor;
import dev.tidings.spi.Directory.SessionQuery;
import dev.tidings.spi.EventLog;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** The actions on sessions, but for their turns. */
final class SessionActions {
    private static final int MAX_TITLE = 500;
    private static final int MAX_PAGE = 200;
    private static final int READ_ENTRIES = 500;
    private static final int READ_BYTES = 1 << 20;

    private SessionActions() {}

    /**
     * {@code CreateSession {agentId, title?, clientRequestId?} → {sessionId}}: a writer's. The members get their
     * {@code session-created} from the row's own event.
     */
    record Create(AgentsHttpPorts ports, InstantSource clock) implements ActionHandler {
        @Override
        public String name() {
            return "CreateSession";
        }

        @Override
        public Optional<String> clientKey(ActionCall call) {
            return call.fields().clientId("clientRequestId");
        }

        @Override
        public CompletionStage<ActionReply> handle(ActionCall call) {
            String agentId = call.fields().text("agentId");
            Optional<String> title = call.fields().optionalText("title", MAX_TITLE);
            String id = UUID.randomUUID().toString();
            ports.transactions().run(() -> {
                AgentInfo agent = call.writableAgent(agentId);
                ports.directoryWriter()
                        .create(SessionInfo.idle(id, agent.account(), agentId, title.orElse(null), clock.millis()));
            });
            return ActionReply.of("sessionId", CborValue.text(id)).now();
        }
    }

    /**
     * {@code GetSession {sessionId, afterSeq?} → {session, events, systemPromptMarkdown, truncated?}}: a reader's. Events
     * with a number above {@code afterSeq}; {@code truncated} is true when there are more than one answer holds, and the
     * number of the last one is where to go on.
     */
    record Read(AgentsHttpPorts ports, int maxBytes, ReadBudget budget) implements ActionHandler {
        @Override
        public String name() {
            return "GetSession";
        }

        @Override
        public boolean readsOnly() {
            return true;
        }

        @Override
        public CompletionStage<ActionReply> handle(ActionCall call) {
            String sessionId = call.fields().text("sessionId");
            long afterSeq = call.fields().optionalCount("afterSeq").orElse(0);
            SessionInfo session = call.readableSession(sessionId);
            Transcript transcript;
            try (ReadBudget.Share share = budget.share()) {
                transcript =
                        Transcript.read(ports.log(), StreamKey.session(sessionId), afterSeq, maxBytes, share::grow);
            }
            Map<String, CborValue> members = new HashMap<>();
            members.put("session", DagCbor.fromJson(AgentsJson.session(session)));
            members.put("events", CborValue.list(transcript.events()));
            members.put("systemPromptMarkdown", CborValue.text(systemPrompt(session.agentId())));
            if (transcript.truncated()) {
                members.put("truncated", CborValue.bool(true));
            }
            return new ActionReply(members).now();
        }

        private String systemPrompt(String agentId) {
            return ports.directory()
                    .agent(agentId)
                    .map(agent -> DagCbor.fromJson(agent.value().definition().toUtf8()))
                    .flatMap(definition ->
                            definition instanceof MapValue map ? map.text("systemPrompt") : Optional.empty())
                    .orElse("");
        }
    }

    /**
     * The numbered events of a session, from some number on.
     *
     * @param truncated whether there are more
     */
    private record Transcript(List<CborValue> events, boolean truncated) {

        /** An event stands in memory as bytes, as values and as the answer. */
        private static final int COPIES = 4;

        static Transcript read(EventLog log, StreamKey session, long afterSeq, int maxBytes, LongConsumer reserve) {
            List<CborValue> events = new ArrayList<>();
            long position = afterSeq == 0 ? 0 : log.positionAfterSeq(session, afterSeq);
            long bytes = 0;
            while (true) {
                List<StoredEntry> page = log.read(session, position, READ_ENTRIES, READ_BYTES);
                if (page.isEmpty()) {
                    return new Transcript(events, false);
                }
                for (StoredEntry entry : page) {
                    if (!entry.numbered() || entry.seq() <= afterSeq) {
                        continue;
                    }
                    bytes += entry.payload().size();
                    if (bytes > maxBytes && !events.isEmpty()) {
                        return new Transcript(events, true);
                    }
                    reserve.accept((long) COPIES * entry.payload().size());
                    events.add(DagCbor.fromJson(AgentsJson.sessionEvent(entry)));
                }
                position = page.get(page.size() - 1).position();
            }
        }
    }

    /**
     * {@code ListSessions {agentId?, limit?, cursor?{updatedBefore, idBefore}} → {sessions, agents, nextCursor?}}: newest
     * first, by (updatedAt, id), with the agents that they belong to. Of one agent: a reader's; else those of the agents
     * that the account owns or was accepted for.
     */
    record ListPage(AgentsHttpPorts ports) implements ActionHandler {
        @Override
        public String name() {
            return "ListSessions";
        }

        @Override
        public boolean readsOnly() {
            return true;
        }

        @Override
        public CompletionStage<ActionReply> handle(ActionCall call) {
            ActionFields fields = call.fields();
            Optional<String> agentId = fields.optionalText("agentId");
            int limit = (int) fields.optionalInteger("limit", 1, MAX_PAGE).orElse(MAX_PAGE);
            Optional<Cursor> cursor = fields.optionalMap("cursor").map(Cursor::of);
            // Of an agent that the account may read, its owner's list has all sessions; a public reader has no list.
            String whose = agentId.map(id -> call.readableAgent(id).account()).orElse(call.account());
            List<SessionInfo> sessions =
                    ports.directory().sessions(query(whose, agentId.orElse(null), cursor.orElse(null), limit));
            Map<String, CborValue> members = new HashMap<>();
            members.put("sessions", CborValue.list(shown(sessions)));
            members.put("agents", CborValue.list(agents(sessions, call.account())));
            if (sessions.size() == limit) {
                Cursor next = Cursor.behind(sessions.get(limit - 1));
                if (!ports.directory()
                        .sessions(query(whose, agentId.orElse(null), next, 1))
                        .isEmpty()) {
                    members.put("nextCursor", next.shown());
                }
            }
            return new ActionReply(members).now();
        }

        private static SessionQuery query(
                String account, @Nullable String agentId, @Nullable Cursor cursor, int limit) {
            return cursor == null
                    ? new SessionQuery(account, agentId, null, null, limit)
                    : new SessionQuery(account, agentId, cursor.updatedBefore(), cursor.idBefore(), limit);
        }

        private static List<CborValue> shown(List<SessionInfo> sessions) {
            List<CborValue> shown = new ArrayList<>();
            sessions.forEach(session -> shown.add(DagCbor.fromJson(AgentsJson.session(session))));
            return shown;
        }

        private List<CborValue> agents(List<SessionInfo> sessions, String account) {
            Map<String, AgentInfo> agents = new LinkedHashMap<>();
            for (SessionInfo session : sessions) {
                if (!agents.containsKey(session.agentId())) {
                    ports.directory()
                            .agent(session.agentId())
                            .map(Versioned::value)
                            .ifPresent(agent -> agents.put(agent.id(), agent));
                }
            }
            return AgentActions.shown(List.copyOf(agents.values()), account, ports.grants());
        }
    }

    /** Where a page of sessions begins. */
    private record Cursor(long updatedBefore, String idBefore) {

        static Cursor of(ActionFields fields) {
            return new Cursor(fields.integer("updatedBefore", 0, Long.MAX_VALUE), fields.text("idBefore"));
        }

        static Cursor behind(SessionInfo session) {
            return new Cursor(session.updatedAt(), session.id());
        }

        CborValue shown() {
            return CborValue.map(
                    Map.of("updatedBefore", CborValue.integer(updatedBefore), "idBefore", CborValue.text(idBefore)));
        }
    }
}
