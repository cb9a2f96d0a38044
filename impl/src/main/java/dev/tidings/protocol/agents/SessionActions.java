package dev.tidings.protocol.agents;

import dev.tidings.AgentInfo;
import dev.tidings.Role;
import dev.tidings.SessionInfo;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.Versioned;
import dev.tidings.envelope.CborValue;
import dev.tidings.envelope.CborValue.MapValue;
import dev.tidings.envelope.DagCbor;
import dev.tidings.event.AccountHint;
import dev.tidings.spi.Directory.SessionQuery;
import dev.tidings.spi.Grants;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The actions on sessions, but for their turns. */
final class SessionActions {
    private static final int MAX_PAGE = 200;
    private static final int READ_ENTRIES = 500;
    private static final int READ_BYTES = 1 << 20;

    private SessionActions() {}

    /**
     * {@code CreateSession {agentId, title?, clientRequestId?} → {sessionId}}: a writer's. The members get their
     * {@code session-created} from the row's own event.
     */
    record Create(AgentsHttpPorts ports, int maxTitle, InstantSource clock) implements ActionHandler {
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
            Optional<String> title = call.fields().optionalText("title", maxTitle);
            String id = UUID.randomUUID().toString();
            ports.transactions().run(() -> {
                AgentInfo agent = call.writableAgent(agentId);
                // Under the agent's lock: nothing is made in one that is being deleted.
                if (ports.directoryWriter().changeAgent(agentId, a -> a).isEmpty()) {
                    throw ActionRefusal.agentNotFound();
                }
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
    record Read(AgentsHttpPorts ports, Reading reading) implements ActionHandler {
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
            try (Reading.Items events = reading.items()) {
                boolean whole = read(StreamKey.session(sessionId), afterSeq, events);
                Map<String, CborValue> members = new HashMap<>();
                members.put("session", DagCbor.fromJson(AgentsJson.session(session)));
                members.put("events", events.list());
                members.put("systemPromptMarkdown", CborValue.text(systemPrompt(session.agentId())));
                if (!whole) {
                    members.put("truncated", CborValue.bool(true));
                }
                return new ActionReply(members).now();
            }
        }

        /** False if there are more. */
        private boolean read(StreamKey session, long afterSeq, Reading.Items into) {
            long position = afterSeq == 0 ? 0 : ports.log().positionAfterSeq(session, afterSeq);
            while (true) {
                List<StoredEntry> page = ports.log().read(session, position, READ_ENTRIES, READ_BYTES);
                if (page.isEmpty()) {
                    return true;
                }
                for (StoredEntry entry : page) {
                    if (entry.numbered() && entry.seq() > afterSeq && !into.add(AgentsJson.sessionEvent(entry))) {
                        return false;
                    }
                }
                position = page.get(page.size() - 1).position();
            }
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

    /** {@code UpdateSession {sessionId, title} → {session}}: a writer's. */
    record Update(AgentsHttpPorts ports, int maxTitle, InstantSource clock) implements ActionHandler {
        @Override
        public String name() {
            return "UpdateSession";
        }

        @Override
        public CompletionStage<ActionReply> handle(ActionCall call) {
            String sessionId = call.fields().text("sessionId");
            String title = call.fields().text("title", maxTitle);
            long now = clock.millis();
            SessionInfo session = ports.transactions().required(() -> {
                String agentId = call.writableSession(sessionId).agentId();
                ports.events().accept(AccountHint.toMembers("session-updated", agentId, sessionId));
                return ports.directoryWriter()
                        .changeSession(sessionId, s -> titled(s, title, now))
                        .map(Versioned::value)
                        .orElseThrow(ActionRefusal::sessionNotFound);
            });
            return ActionReply.of("session", DagCbor.fromJson(AgentsJson.session(session)))
                    .now();
        }

        private static SessionInfo titled(SessionInfo session, String title, long now) {
            return new SessionInfo(
                    session.id(),
                    session.account(),
                    session.agentId(),
                    title,
                    session.status(),
                    session.createdAt(),
                    Math.max(session.updatedAt(), now),
                    session.startedByTrigger(),
                    session.parentSessionId(),
                    session.runId(),
                    session.plan(),
                    session.childSessionCount(),
                    session.modelOverride(),
                    session.description());
        }
    }

    /** {@code DeleteSession {sessionId} → {sessionId, agentId}}: a writer's. Its runs are cancelled first. */
    record Delete(AgentsHttpPorts ports, Executor workers) implements ActionHandler {
        @Override
        public String name() {
            return "DeleteSession";
        }

        @Override
        public boolean ownTransactions() {
            return true;
        }

        @Override
        public CompletionStage<ActionReply> handle(ActionCall call) {
            String sessionId = call.fields().text("sessionId");
            call.writableSession(sessionId);
            return new LiveRuns(ports, workers)
                    .cancelOfSession(sessionId)
                    .thenApplyAsync(ended -> deleted(call, sessionId), workers);
        }

        private ActionReply deleted(ActionCall call, String sessionId) {
            return ports.transactions().required(() -> {
                String agentId = call.writableSession(sessionId).agentId();
                if (!ports.directoryWriter().deleteSession(sessionId)) {
                    throw ActionRefusal.sessionNotFound();
                }
                ports.events().accept(AccountHint.toMembers("session-deleted", agentId, sessionId));
                ActionReply reply =
                        ActionReply.of("sessionId", CborValue.text(sessionId), "agentId", CborValue.text(agentId));
                call.finish(reply);
                return reply;
            });
        }
    }

    /**
     * {@code ListSessions {agentId?, limit?, cursor?{updatedBefore, idBefore}} → {sessions, agents, nextCursor?}}: newest
     * first, by (updatedAt, id), with the agents that they belong to. Of one agent: a reader's; else those of the agents
     * that the account owns or was accepted for.
     */
    record ListPage(AgentsHttpPorts ports, Reading reading) implements ActionHandler {
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
            try (Reading.Items shown = reading.items();
                    Reading.Items agents = reading.items()) {
                int fitting = show(sessions, call.account(), shown, agents);
                members.put("sessions", shown.list());
                members.put("agents", agents.list());
                if (fitting == limit || fitting < sessions.size()) {
                    Cursor next = Cursor.behind(sessions.get(fitting - 1));
                    if (!ports.directory()
                            .sessions(query(whose, agentId.orElse(null), next, 1))
                            .isEmpty()) {
                        members.put("nextCursor", next.shown());
                    }
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

        /** Shows sessions with their agents; how many of them had room. */
        private int show(List<SessionInfo> sessions, String account, Reading.Items shown, Reading.Items shownAgents) {
            Map<String, AgentInfo> agents = new LinkedHashMap<>();
            for (SessionInfo session : sessions) {
                agents.computeIfAbsent(
                        session.agentId(),
                        id -> ports.directory().agent(id).map(Versioned::value).orElse(null));
            }
            Map<Grants.Pair, Role> roles = AgentActions.roles(List.copyOf(agents.values()), account, ports.grants());
            Set<String> done = new HashSet<>();
            for (SessionInfo session : sessions) {
                AgentInfo agent = agents.get(session.agentId());
                Role role = roles.get(new Grants.Pair(session.agentId(), account));
                boolean fits = agent == null
                        || role == null
                        || !done.add(agent.id())
                        || shownAgents.add(AgentsJson.agent(agent, role));
                if (!fits || !shown.add(AgentsJson.session(session))) {
                    break;
                }
            }
            return shown.size();
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
