package dev.tidings.protocol.agents;

import dev.tidings.AgentInfo;
import dev.tidings.Collaborator;
import dev.tidings.Role;
import dev.tidings.envelope.CborValue;
import dev.tidings.envelope.DagCbor;
import dev.tidings.envelope.Principal;
import dev.tidings.event.AccountHint;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * The actions on invitations. Each is one transaction, in which the grants say themselves what changed; the two hints tell
 * the owner and the invitee that their lists are stale.
 */
final class CollaboratorActions {

    private CollaboratorActions() {}

    /** {@code ListAgentCollaborators {agentId} → {agentId, publicRead, collaborators}}: a reader's, by (createdAt, account). */
    record ListOf(AgentsHttpPorts ports) implements ActionHandler {
        @Override
        public String name() {
            return "ListAgentCollaborators";
        }

        @Override
        public boolean readsOnly() {
            return true;
        }

        @Override
        public CompletionStage<ActionReply> handle(ActionCall call) {
            String agentId = call.fields().text("agentId");
            AgentInfo agent = call.readableAgent(agentId);
            List<CborValue> collaborators = new ArrayList<>();
            for (Collaborator collaborator : ports.directory().collaborators(agentId)) {
                collaborators.add(DagCbor.fromJson(AgentsJson.collaborator(collaborator)));
            }
            return new ActionReply(Map.of(
                            "agentId", CborValue.text(agentId),
                            "publicRead", CborValue.bool(agent.publicRead()),
                            "collaborators", CborValue.list(collaborators)))
                    .now();
        }
    }

    /**
     * {@code ListAgentInvites {} → {invites}}: those of the account that are pending, by (createdAt, agent); of the agent
     * only its id, since an invitation gives no access yet.
     */
    record Invites(AgentsHttpPorts ports) implements ActionHandler {
        @Override
        public String name() {
            return "ListAgentInvites";
        }

        @Override
        public boolean readsOnly() {
            return true;
        }

        @Override
        public CompletionStage<ActionReply> handle(ActionCall call) {
            List<CborValue> invites = new ArrayList<>();
            for (Collaborator invite : ports.directory().invites(call.account())) {
                invites.add(DagCbor.fromJson(AgentsJson.invite(invite)));
            }
            return ActionReply.of("invites", CborValue.list(invites)).now();
        }
    }

    /**
     * {@code DeclineAgentInvite {agentId} → {agentId}}: the invitee's, while the invitation is pending. One who was accepted
     * is removed by the owner.
     */
    record Decline(AgentsHttpPorts ports) implements ActionHandler {
        @Override
        public String name() {
            return "DeclineAgentInvite";
        }

        @Override
        public CompletionStage<ActionReply> handle(ActionCall call) {
            String agentId = call.fields().text("agentId");
            if (!ActionCall.mayExist(agentId)) {
                throw ActionRefusal.agentNotFound();
            }
            ports.transactions().run(() -> {
                AgentInfo agent = ports.directory()
                        .agent(agentId)
                        .orElseThrow(ActionRefusal::agentNotFound)
                        .value();
                if (!ports.grantsWriter().decline(agentId, call.account())) {
                    throw ActionRefusal.agentNotFound();
                }
                hint(ports, agent, call.account());
            });
            return ActionReply.of("agentId", CborValue.text(agentId)).now();
        }
    }

    /** {@code InviteAgentCollaborator {agentId, accountId, role} → {collaborator}}: the owner's. */
    record Invite(AgentsHttpPorts ports, InstantSource clock) implements ActionHandler {
        @Override
        public String name() {
            return "InviteAgentCollaborator";
        }

        @Override
        public CompletionStage<ActionReply> handle(ActionCall call) {
            ActionFields fields = call.fields();
            String agentId = fields.text("agentId");
            String accountId = invitee(fields);
            Role role = role(fields);
            Collaborator collaborator = ports.transactions().required(() -> {
                AgentInfo agent = call.ownedAgent(agentId);
                if (agent.account().equals(accountId)) {
                    throw ActionRefusal.field("accountId must not be the owner");
                }
                Collaborator invited = ports.grantsWriter().invite(agentId, accountId, role, clock.millis());
                hint(ports, agent, accountId);
                return invited;
            });
            return ActionReply.of("collaborator", DagCbor.fromJson(AgentsJson.collaborator(collaborator)))
                    .now();
        }

        private static String invitee(ActionFields fields) {
            String accountId = fields.text("accountId");
            if (Principal.parse(accountId).isEmpty()) {
                throw ActionRefusal.field("accountId must be the text form of an account");
            }
            return accountId;
        }

        private static Role role(ActionFields fields) {
            return Role.ofCode(fields.text("role"))
                    .filter(role -> role != Role.OWNER)
                    .orElseThrow(() -> ActionRefusal.field("role must be reader or writer"));
        }
    }

    /** {@code AcceptAgentInvite {agentId} → {agent}}: the invitee's; accepting again changes nothing. */
    record Accept(AgentsHttpPorts ports, InstantSource clock) implements ActionHandler {
        @Override
        public String name() {
            return "AcceptAgentInvite";
        }

        @Override
        public CompletionStage<ActionReply> handle(ActionCall call) {
            String agentId = call.fields().text("agentId");
            if (!ActionCall.mayExist(agentId)) {
                throw ActionRefusal.agentNotFound();
            }
            CborValue agent = ports.transactions().required(() -> {
                Collaborator accepted = ports.grantsWriter()
                        .accept(agentId, call.account(), clock.millis())
                        .orElseThrow(ActionRefusal::agentNotFound);
                AgentInfo row = ports.directory()
                        .agent(agentId)
                        .orElseThrow(ActionRefusal::agentNotFound)
                        .value();
                hint(ports, row, call.account());
                return AgentActions.shown(row, accepted.role());
            });
            return ActionReply.of("agent", agent).now();
        }
    }

    /** {@code RemoveAgentCollaborator {agentId, accountId} → {agentId, accountId}}: the owner's. */
    record Remove(AgentsHttpPorts ports) implements ActionHandler {
        @Override
        public String name() {
            return "RemoveAgentCollaborator";
        }

        @Override
        public CompletionStage<ActionReply> handle(ActionCall call) {
            String agentId = call.fields().text("agentId");
            String accountId = call.fields().text("accountId");
            ports.transactions().run(() -> {
                AgentInfo agent = call.ownedAgent(agentId);
                if (!ActionCall.mayExist(accountId) || !ports.grantsWriter().remove(agentId, accountId)) {
                    throw new ActionRefusal(ActionCode.COLLABORATOR_NOT_FOUND, "Collaborator not found");
                }
                hint(ports, agent, accountId);
            });
            return ActionReply.of("agentId", CborValue.text(agentId), "accountId", CborValue.text(accountId))
                    .now();
        }
    }

    private static void hint(AgentsHttpPorts ports, AgentInfo agent, String invitee) {
        ports.events().accept(AccountHint.to(agent.account(), "agent-collaborators-changed", agent.id()));
        ports.events().accept(AccountHint.to(invitee, "agent-invites-changed", agent.id()));
    }
}
