package dev.tidings.protocol.agents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.envelope.CborValue;
import dev.tidings.envelope.EnvelopeFixtures.Signer;
import dev.tidings.event.GrantChanged;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class CollaboratorActionsTest {
    private static final Signer OWNER = Signer.number(1);
    private static final Signer INVITEE = Signer.number(2);

    private final HttpBench bench = new HttpBench();
    private final String agent = bench.agent(OWNER);

    private HttpBench.Answer invite(String accountId, String role) {
        return bench.call(OWNER, "InviteAgentCollaborator", "agentId", agent, "accountId", accountId, "role", role);
    }

    @Test
    void invite_newAccount_pendingAndBothHinted() {
        bench.hints();

        HttpBench.Answer answer = invite(INVITEE.id(), "reader");

        assertEquals(200, answer.status());
        assertEquals(Optional.of("pending"), answer.map("collaborator").text("status"));
        assertEquals(Optional.of("reader"), answer.map("collaborator").text("role"));
        assertEquals(Optional.of(INVITEE.id()), answer.map("collaborator").text("accountId"));
        assertEquals(
                List.of("agent-collaborators-changed " + OWNER.id(), "agent-invites-changed " + INVITEE.id()),
                bench.hints());
    }

    @Test
    void invite_acceptedAccountInAnotherRole_staysAccepted() {
        invite(INVITEE.id(), "reader");
        bench.accept(INVITEE, agent);

        HttpBench.Answer answer = invite(INVITEE.id(), "writer");

        assertEquals(Optional.of("accepted"), answer.map("collaborator").text("status"));
        assertEquals(Optional.of("writer"), answer.map("collaborator").text("role"));
    }

    @Test
    void invite_wrongFields_namesThem() {
        invite("someone", "reader").refuses(400, "invalid_field", "accountId must be the text form of an account");
        invite(INVITEE.id(), "owner").refuses(400, "invalid_field", "role must be reader or writer");
        invite(INVITEE.id(), "admin").refuses(400, "invalid_field", "role must be reader or writer");
        invite(OWNER.id(), "reader").refuses(400, "invalid_field", "accountId must not be the owner");
        bench.call(OWNER, "InviteAgentCollaborator", "agentId", agent, "role", "reader")
                .refuses(400, "invalid_field", "accountId is required");
        assertEquals(List.of(), bench.tidings.directory().collaborators(agent));
    }

    @Test
    void accept_pending_givesTheAgentInTheRole() {
        invite(INVITEE.id(), "writer");
        bench.hints();

        HttpBench.Answer answer = bench.done(INVITEE, "AcceptAgentInvite", "agentId", agent);

        assertEquals(Optional.of("writer"), answer.map("agent").text("accessRole"));
        assertEquals(
                List.of("agent-collaborators-changed " + OWNER.id(), "agent-invites-changed " + INVITEE.id()),
                bench.hints());
    }

    @Test
    void accept_notInvitedOrRemoved_likeAMissingAgent() {
        bench.call(INVITEE, "AcceptAgentInvite", "agentId", agent).refuses(404, "agent_not_found", "Agent not found");
        invite(INVITEE.id(), "writer");
        bench.done(OWNER, "RemoveAgentCollaborator", "agentId", agent, "accountId", INVITEE.id());

        bench.call(INVITEE, "AcceptAgentInvite", "agentId", agent).refuses(404, "agent_not_found", "Agent not found");
        bench.call(INVITEE, "AcceptAgentInvite", "agentId", "none").refuses(404, "agent_not_found", "Agent not found");
        bench.call(INVITEE, "AcceptAgentInvite", "agentId", "a\0").refuses(404, "agent_not_found", "Agent not found");
    }

    /** Law 6: the grant's own event is fired in the transaction that removes it. */
    @Test
    void remove_accepted_endsTheGrantAndHintsBoth() {
        invite(INVITEE.id(), "reader");
        bench.accept(INVITEE, agent);
        bench.hints();

        HttpBench.Answer answer =
                bench.call(OWNER, "RemoveAgentCollaborator", "agentId", agent, "accountId", INVITEE.id());

        assertEquals(agent, answer.text("agentId"));
        assertEquals(INVITEE.id(), answer.text("accountId"));
        assertTrue(bench.committed.stream().anyMatch(GrantChanged.class::isInstance));
        assertEquals(Optional.empty(), bench.tidings.grants().role(agent, INVITEE.id()));
        assertEquals(
                List.of("agent-collaborators-changed " + OWNER.id(), "agent-invites-changed " + INVITEE.id()),
                bench.hints());
    }

    @Test
    void remove_nobody_saysSo() {
        bench.call(OWNER, "RemoveAgentCollaborator", "agentId", agent, "accountId", INVITEE.id())
                .refuses(404, "collaborator_not_found", "Collaborator not found");
    }

    @Test
    void lists_invitedAndAccepted_areShownToThoseConcerned() {
        Signer other = Signer.number(3);
        invite(INVITEE.id(), "reader");
        invite(other.id(), "writer");
        bench.accept(other, agent);

        HttpBench.Answer list = bench.done(OWNER, "ListAgentCollaborators", "agentId", agent);
        assertEquals(agent, list.text("agentId"));
        assertEquals(Optional.of(CborValue.bool(false)), list.members().member("publicRead"));
        assertEquals(
                Map.of(INVITEE.id(), "pending", other.id(), "accepted"),
                list.maps("collaborators").stream()
                        .collect(Collectors.toMap(
                                c -> c.text("accountId").orElseThrow(),
                                c -> c.text("status").orElseThrow())));

        List<CborValue.MapValue> invites =
                bench.done(INVITEE, "ListAgentInvites").maps("invites");
        assertEquals(
                List.of(Optional.of(agent)),
                invites.stream().map(i -> i.text("agentId")).toList());
        assertEquals(List.of(), bench.done(other, "ListAgentInvites").maps("invites"));
    }

    @Test
    void decline_pending_goneAndBothHinted() {
        invite(INVITEE.id(), "reader");
        bench.hints();

        HttpBench.Answer answer = bench.done(INVITEE, "DeclineAgentInvite", "agentId", agent);

        assertEquals(agent, answer.text("agentId"));
        assertEquals(
                List.of("agent-collaborators-changed " + OWNER.id(), "agent-invites-changed " + INVITEE.id()),
                bench.hints());
        assertEquals(List.of(), bench.tidings.directory().collaborators(agent));
        bench.call(INVITEE, "AcceptAgentInvite", "agentId", agent).refuses(404, "agent_not_found", "Agent not found");
    }

    @Test
    void decline_notPending_likeAMissingAgent() {
        for (String id : List.of(agent, "none", "a\0")) {
            bench.call(INVITEE, "DeclineAgentInvite", "agentId", id).refuses(404, "agent_not_found", "Agent not found");
        }
        invite(INVITEE.id(), "reader");
        bench.accept(INVITEE, agent);
        bench.call(INVITEE, "DeclineAgentInvite", "agentId", agent).refuses(404, "agent_not_found", "Agent not found");
        assertEquals(1, bench.tidings.directory().collaborators(agent).size());
    }
}
