package dev.tidings.protocol.agents;

import dev.tidings.AgentInfo;
import dev.tidings.AgentInfo.AgentStatus;
import dev.tidings.Payload;
import dev.tidings.Role;
import dev.tidings.envelope.CborValue;
import dev.tidings.envelope.CborValue.MapValue;
import dev.tidings.envelope.DagCbor;
import dev.tidings.event.AccountHint;
import dev.tidings.spi.Grants;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/** The actions on agents. */
final class AgentActions {

    private AgentActions() {}

    /** Lists of agents carry their definitions whole. */
    private static final int MOST_DEFINITION_BYTES = 64 << 10;

    /** {@code CreateAgent {definition, clientRequestId?} → {agentId}}. */
    record Create(AgentsHttpPorts ports, InstantSource clock) implements ActionHandler {
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
            MapValue definition = call.fields().map("definition");
            if (definition.text("name").filter(name -> !name.isBlank()).isEmpty()) {
                throw ActionRefusal.field("definition.name is required");
            }
            Payload json = Payload.ofUtf8(DagCbor.toJson(definition));
            if (json.size() > MOST_DEFINITION_BYTES) {
                throw ActionRefusal.field("definition has more than " + MOST_DEFINITION_BYTES + " bytes as JSON");
            }
            String id = UUID.randomUUID().toString();
            long now = clock.millis();
            ports.transactions().run(() -> {
                ports.directoryWriter()
                        .create(new AgentInfo(id, call.account(), json, null, AgentStatus.IDLE, now, now, false));
                ports.events().accept(AccountHint.to(call.account(), "agent-created", id));
            });
            return ActionReply.of("agentId", CborValue.text(id)).now();
        }
    }

    /** {@code ListAgents {} → {agents}}: those that the account owns or was accepted for. */
    record ListAll(AgentsHttpPorts ports) implements ActionHandler {
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
            List<AgentInfo> agents = ports.directory().agentsOf(call.account());
            return ActionReply.of("agents", CborValue.list(shown(agents, call.account(), ports.grants())))
                    .now();
        }
    }

    /** Agents as an account sees them; one that it may no longer read is left out. */
    static List<CborValue> shown(List<AgentInfo> agents, String account, Grants grants) {
        if (agents.isEmpty()) {
            return List.of();
        }
        Map<Grants.Pair, Role> roles = grants.roles(agents.stream()
                .map(agent -> new Grants.Pair(agent.id(), account))
                .toList());
        List<CborValue> shown = new ArrayList<>();
        for (AgentInfo agent : agents) {
            Role role = roles.get(new Grants.Pair(agent.id(), account));
            if (role != null) {
                shown.add(shown(agent, role));
            }
        }
        return shown;
    }

    static CborValue shown(AgentInfo agent, Role role) {
        return DagCbor.fromJson(AgentsJson.agent(agent, role));
    }
}
