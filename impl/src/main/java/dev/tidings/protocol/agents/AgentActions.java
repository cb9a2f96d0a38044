package dev.tidings.protocol.agents;

import dev.tidings.AgentInfo;
import dev.tidings.AgentInfo.AgentStatus;
import dev.tidings.Payload;
import dev.tidings.Role;
import dev.tidings.SessionInfo;
import dev.tidings.Versioned;
import dev.tidings.envelope.CborValue;
import dev.tidings.envelope.CborValue.MapValue;
import dev.tidings.envelope.DagCbor;
import dev.tidings.event.AccountHint;
import dev.tidings.spi.Directory.AgentQuery;
import dev.tidings.spi.Directory.SessionQuery;
import dev.tidings.spi.Grants;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The actions on agents. */
final class AgentActions {
    private static final int MAX_PAGE = 200;

    private AgentActions() {}

    /** {@code CreateAgent {definition, clientRequestId?} → {agentId}}. */
    record Create(AgentsHttpPorts ports, int maxDefinitionBytes, InstantSource clock) implements ActionHandler {
        @Override
        public String name() {
            return "CreateAgent";
        }

        @Override
        public Optional<String> clientKey(ActionCall call) {
            return call.fields().clientId("clientRequestId");
        }

        @Override
        public CompletionStage<ActionReply> handle(ActionCall call) {
            Payload definition = definition(call, maxDefinitionBytes);
            String id = UUID.randomUUID().toString();
            long now = clock.millis();
            ports.transactions().run(() -> {
                ports.directoryWriter()
                        .create(new AgentInfo(id, call.account(), definition, null, AgentStatus.IDLE, now, now, false));
                ports.events().accept(AccountHint.to(call.account(), "agent-created", id));
            });
            return ActionReply.of("agentId", CborValue.text(id)).now();
        }
    }

    private static Payload definition(ActionCall call, int maxBytes) {
        MapValue definition = call.fields().map("definition");
        if (definition.text("name").filter(name -> !name.isBlank()).isEmpty()) {
            throw ActionRefusal.field("definition.name is required");
        }
        Payload json = Payload.ofUtf8(DagCbor.toJson(definition));
        if (json.size() > maxBytes) {
            throw ActionRefusal.field("definition has more than " + maxBytes + " bytes as JSON");
        }
        return json;
    }

    /**
     * {@code GetAgent {agentId} → {agent, sessions}}: a reader's. The sessions that changed last, at most 200; ListSessions
     * has all.
     */
    record Read(AgentsHttpPorts ports, Reading reading) implements ActionHandler {
        @Override
        public String name() {
            return "GetAgent";
        }

        @Override
        public boolean readsOnly() {
            return true;
        }

        @Override
        public CompletionStage<ActionReply> handle(ActionCall call) {
            String agentId = call.fields().text("agentId");
            Role role = call.role(agentId);
            AgentInfo agent = call.readableAgent(agentId);
            try (Reading.Items sessions = reading.items()) {
                for (SessionInfo session :
                        ports.directory().sessions(new SessionQuery(agent.account(), agentId, null, null, MAX_PAGE))) {
                    if (!sessions.add(AgentsJson.session(session))) {
                        break;
                    }
                }
                return ActionReply.of("agent", shown(agent, role), "sessions", sessions.list())
                        .now();
            }
        }
    }

    /** {@code UpdateAgent {agentId, definition} → {agent}}: a writer's. */
    record Update(AgentsHttpPorts ports, int maxDefinitionBytes, InstantSource clock) implements ActionHandler {
        @Override
        public String name() {
            return "UpdateAgent";
        }

        @Override
        public CompletionStage<ActionReply> handle(ActionCall call) {
            String agentId = call.fields().text("agentId");
            Payload definition = definition(call, maxDefinitionBytes);
            long now = clock.millis();
            CborValue shown = ports.transactions().required(() -> {
                call.writableAgent(agentId);
                AgentInfo agent = changed(ports, agentId, a -> with(a, definition, a.publicRead(), now));
                ports.events().accept(AccountHint.toMembers("agent-updated", agentId, null));
                return shown(agent, call.role(agentId));
            });
            return ActionReply.of("agent", shown).now();
        }
    }

    /**
     * {@code SetAgentPublicRead {agentId, publicRead} → {agent}}: the owner's. Switching it off ends what public readers
     * see, by the event of the row that changes (law 6).
     */
    record SetPublicRead(AgentsHttpPorts ports, InstantSource clock) implements ActionHandler {
        @Override
        public String name() {
            return "SetAgentPublicRead";
        }

        @Override
        public CompletionStage<ActionReply> handle(ActionCall call) {
            String agentId = call.fields().text("agentId");
            boolean publicRead = call.fields().flag("publicRead");
            long now = clock.millis();
            CborValue shown = ports.transactions().required(() -> {
                call.ownedAgent(agentId);
                AgentInfo agent = changed(
                        ports,
                        agentId,
                        a -> a.publicRead() == publicRead ? a : with(a, a.definition(), publicRead, now));
                ports.events().accept(AccountHint.to(agent.account(), "agent-collaborators-changed", agentId));
                return shown(agent, Role.OWNER);
            });
            return ActionReply.of("agent", shown).now();
        }
    }

    private static AgentInfo changed(AgentsHttpPorts ports, String agentId, UnaryOperator<AgentInfo> change) {
        return ports.directoryWriter()
                .changeAgent(agentId, change)
                .map(Versioned::value)
                .orElseThrow(ActionRefusal::agentNotFound);
    }

    private static AgentInfo with(AgentInfo agent, Payload definition, boolean publicRead, long now) {
        return new AgentInfo(
                agent.id(),
                agent.account(),
                definition,
                agent.stateDir(),
                agent.status(),
                agent.createdAt(),
                Math.max(agent.updatedAt(), now),
                publicRead);
    }

    /**
     * {@code DeleteAgent {agentId} → {agentId}}: the owner's. Its runs are cancelled first; who could read it is told by
     * name, because nobody is a member of an agent that is gone.
     */
    record Delete(AgentsHttpPorts ports, Executor workers) implements ActionHandler {
        @Override
        public String name() {
            return "DeleteAgent";
        }

        @Override
        public boolean ownTransactions() {
            return true;
        }

        @Override
        public CompletionStage<ActionReply> handle(ActionCall call) {
            String agentId = call.fields().text("agentId");
            call.ownedAgent(agentId);
            return new LiveRuns(ports, workers)
                    .cancelOfAgent(agentId)
                    .thenApplyAsync(ended -> deleted(call, agentId), workers);
        }

        private ActionReply deleted(ActionCall call, String agentId) {
            ActionReply reply = ActionReply.of("agentId", CborValue.text(agentId));
            ports.transactions().run(() -> {
                call.ownedAgent(agentId);
                Set<String> members = ports.grants().members(agentId);
                if (!ports.directoryWriter().deleteAgent(agentId)) {
                    throw ActionRefusal.agentNotFound();
                }
                ports.events().accept(new AccountHint("agent-deleted", agentId, null, members));
                call.finish(reply);
            });
            return reply;
        }
    }

    /**
     * {@code ListAgents {limit?, cursor?{createdAfter, idAfter}} → {agents, nextCursor?}}: those that the account owns or was
     * accepted for, oldest first. Without a limit as many as fit into one answer, which is all but for the very many;
     * {@code nextCursor} says that there are more.
     */
    record ListAll(AgentsHttpPorts ports, Reading reading) implements ActionHandler {
        @Override
        public String name() {
            return "ListAgents";
        }

        @Override
        public boolean readsOnly() {
            return true;
        }

        @Override
        public CompletionStage<ActionReply> handle(ActionCall call) {
            ActionFields fields = call.fields();
            long limit = fields.optionalInteger("limit", 1, MAX_PAGE).orElse(Long.MAX_VALUE);
            Cursor cursor = fields.optionalMap("cursor").map(Cursor::of).orElse(null);
            try (Reading.Items agents = reading.items()) {
                Cursor next = list(call.account(), limit, cursor, agents);
                Map<String, CborValue> members = new HashMap<>();
                members.put("agents", agents.list());
                if (next != null) {
                    members.put("nextCursor", next.shown());
                }
                return new ActionReply(members).now();
            }
        }

        /** Where the next page begins; null if there is none. */
        private @Nullable Cursor list(String account, long limit, @Nullable Cursor from, Reading.Items into) {
            Cursor cursor = from;
            while (true) {
                List<AgentInfo> page = ports.directory().agents(query(account, cursor));
                Map<Grants.Pair, Role> roles = roles(page, account, ports.grants());
                for (AgentInfo agent : page) {
                    if (into.size() == limit) {
                        return cursor;
                    }
                    Role role = roles.get(new Grants.Pair(agent.id(), account));
                    if (role != null && !into.add(AgentsJson.agent(agent, role))) {
                        return cursor;
                    }
                    cursor = new Cursor(agent.createdAt(), agent.id());
                }
                if (page.size() < MAX_PAGE) {
                    return null;
                }
            }
        }

        private static AgentQuery query(String account, @Nullable Cursor cursor) {
            return cursor == null
                    ? new AgentQuery(account, null, null, MAX_PAGE)
                    : new AgentQuery(account, cursor.createdAfter(), cursor.idAfter(), MAX_PAGE);
        }
    }

    /** Where a page of agents begins. */
    private record Cursor(long createdAfter, String idAfter) {

        static Cursor of(ActionFields fields) {
            return new Cursor(fields.integer("createdAfter", 0, Long.MAX_VALUE), fields.text("idAfter"));
        }

        CborValue shown() {
            return CborValue.map(
                    Map.of("createdAfter", CborValue.integer(createdAfter), "idAfter", CborValue.text(idAfter)));
        }
    }

    /** What an account may do with each of these agents; one that it may no longer read is left out. */
    static Map<Grants.Pair, Role> roles(List<AgentInfo> agents, String account, Grants grants) {
        return agents.isEmpty()
                ? Map.of()
                : grants.roles(agents.stream()
                        .map(agent -> new Grants.Pair(agent.id(), account))
                        .toList());
    }

    static CborValue shown(AgentInfo agent, Role role) {
        return DagCbor.fromJson(AgentsJson.agent(agent, role));
    }
}
