package dev.tidings.blackbox;

import static dev.tidings.blackbox.WatchSocket.type;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Who may do and see what, and when that ends. */
abstract class AccessSuite extends Suite {

    /** Law 6, and A5: a removed collaborator's open sockets fall silent at once. */
    @Test
    void collaborator_removedInMidStream_hearsNothingMore() {
        SignedClient owner = newAccount();
        SignedClient reader = newAccount();
        String agent = owner.newAgent();
        String session = owner.newSession(agent);
        WatchSocket readers = reader.open();
        assertEquals(
                "Session not found",
                readers.subscribe("sessions/" + session).get("message").asText());
        invite(owner, reader, agent, "reader");
        assertEquals(
                "Session not found",
                readers.subscribe("sessions/" + session).get("message").asText());
        reader.call("AcceptAgentInvite", Map.of("agentId", agent));
        assertEquals("subscribed", type(readers.subscribe("sessions/" + session)));
        assertEquals("subscribed", type(readers.subscribe("account/" + reader.account())));
        WatchSocket owners = owner.open();
        owners.subscribe("sessions/" + session);

        CompletableFuture<Answer> turn = owner.messageAsync(session, "/stream 300 20 5");
        readers.await(Suite::isDelta);
        owner.call("RemoveAgentCollaborator", Map.of("agentId", agent, "accountId", reader.account()));
        // What was in flight has arrived by the time the owner has seen this much more.
        int now = owners.size();
        for (int i = 0; i < 20; i++) {
            int from = now;
            owners.awaitFrom(from, Suite::isDelta);
            now = owners.size();
        }
        int heard = readers.size();
        assertEquals(200, turn.join().status());
        owner.message(session, "said behind closed doors");
        owners.awaitSeq(session, 4);
        assertEquals(heard, readers.size(), () -> "heard after the removal: " + tail(readers, heard));
        assertEquals(List.of(1L), readers.seqs(session));
        assertEquals(
                "Session not found",
                readers.subscribe("sessions/" + session).get("message").asText());

        // Accepted again, it goes on from its cursor without subscribing anew.
        invite(owner, reader, agent, "writer");
        reader.call("AcceptAgentInvite", Map.of("agentId", agent));
        readers.awaitSeq(session, 4);
        assertEquals(List.of(1L, 2L, 3L, 4L), readers.seqs(session));
    }

    @Test
    void roles_overHttp_areKept() {
        SignedClient owner = newAccount();
        SignedClient reader = newAccount();
        SignedClient stranger = newAccount();
        String agent = owner.newAgent();
        String session = owner.newSession(agent);
        invite(owner, reader, agent, "reader");
        assertEquals(
                404, reader.send("GetSession", Map.of("sessionId", session)).status());
        reader.call("AcceptAgentInvite", Map.of("agentId", agent));
        assertEquals(
                200, reader.send("GetSession", Map.of("sessionId", session)).status());
        Answer refused = reader.send(
                "MessageSession",
                Map.of("sessionId", session, "content", List.of(Map.of("type", "text", "text", "x"))));
        assertEquals(403, refused.status());
        assertEquals("Write access is required", refused.body().get("message").asText());
        Answer missing = stranger.send("GetSession", Map.of("sessionId", session));
        assertEquals(404, missing.status());
        assertEquals(
                missing.body(),
                stranger.send("GetSession", Map.of("sessionId", "nope")).body());
        assertEquals(1, reader.call("ListAgents", Map.of()).get("agents").size());
        assertEquals(0, stranger.call("ListAgents", Map.of()).get("agents").size());
        assertEquals(1, owner.call("ListSessions", Map.of()).get("sessions").size());
    }
}
