package dev.tidings.blackbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** Protocols A9: each action, who may do it, and that it is done once. */
abstract class ActionsSuite extends Suite {

    @Test
    void agent_createdReadChangedAndDeleted() {
        SignedClient owner = newAccount();
        String agent = owner.newAgent();
        String session = owner.newSession(agent);
        JsonNode shown = owner.call("GetAgent", Map.of("agentId", agent));
        assertEquals("Black box", shown.at("/agent/definition/name").asText());
        assertEquals("owner", shown.at("/agent/accessRole").asText());
        assertEquals(session, shown.at("/sessions/0/id").asText());

        JsonNode changed = owner.call(
                "UpdateAgent", Map.of("agentId", agent, "definition", Map.of("name", "Other", "more", Map.of("n", 1))));
        assertEquals("Other", changed.at("/agent/definition/name").asText());
        assertEquals(1, changed.at("/agent/definition/more/n").asInt());

        assertEquals(
                agent,
                owner.call("DeleteAgent", Map.of("agentId", agent))
                        .get("agentId")
                        .asText());
        assertEquals(404, owner.send("GetAgent", Map.of("agentId", agent)).status());
        assertEquals(404, owner.send("GetSession", Map.of("sessionId", session)).status());
        assertEquals(0, owner.call("ListAgents", Map.of()).get("agents").size());
    }

    @Test
    void session_titledListedAndDeleted() {
        SignedClient owner = newAccount();
        String agent = owner.newAgent();
        String session = owner.call("CreateSession", Map.of("agentId", agent, "title", "First"))
                .get("sessionId")
                .asText();
        assertEquals(
                "Second",
                owner.call("UpdateSession", Map.of("sessionId", session, "title", "Second"))
                        .at("/session/title")
                        .asText());
        WatchSocket socket = owner.open();
        socket.subscribe("account/" + owner.account());
        JsonNode deleted = owner.call("DeleteSession", Map.of("sessionId", session));
        assertEquals(agent, deleted.get("agentId").asText());
        socket.await(frame -> isHint(frame, "session-deleted")
                && frame.at("/value/sessionId").asText().equals(session));
        assertEquals(404, owner.send("GetSession", Map.of("sessionId", session)).status());
    }

    @Test
    void listSessions_pages_newestFirstWithoutGapOrRepeat() {
        SignedClient owner = newAccount();
        String agent = owner.newAgent();
        List<String> made = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            made.add(owner.newSession(agent));
        }
        List<String> listed = new ArrayList<>();
        Map<String, Object> query = new HashMap<>(Map.of("agentId", agent, "limit", 3));
        JsonNode page;
        do {
            page = owner.call("ListSessions", query);
            page.get("sessions").forEach(session -> listed.add(session.get("id").asText()));
            if (page.has("nextCursor")) {
                query.put(
                        "cursor",
                        Map.of(
                                "updatedBefore",
                                        page.at("/nextCursor/updatedBefore").asLong(),
                                "idBefore", page.at("/nextCursor/idBefore").asText()));
            }
        } while (page.has("nextCursor"));
        assertEquals(7, listed.size());
        assertEquals(Set.copyOf(made), Set.copyOf(listed));
        assertEquals(400, owner.send("ListSessions", Map.of("limit", 201)).status());
    }

    @Test
    void getSession_behindASeq_givesTheRest() {
        SignedClient owner = newAccount();
        String session = owner.newSession();
        owner.message(session, "one");
        owner.message(session, "two");
        JsonNode rest = owner.call("GetSession", Map.of("sessionId", session, "afterSeq", 3));
        assertEquals(1, rest.get("events").size());
        assertEquals(4, rest.at("/events/0/seq").asLong());
        assertEquals("Echo.", rest.get("systemPromptMarkdown").asText());
        assertEquals("idle", rest.at("/session/status").asText());
    }

    @Test
    void invitations_fromInviteToRemoval() {
        SignedClient owner = newAccount();
        SignedClient guest = newAccount();
        SignedClient shy = newAccount();
        String agent = owner.newAgent();
        invite(owner, guest, agent, "reader");
        invite(owner, shy, agent, "writer");
        assertEquals(1, guest.call("ListAgentInvites", Map.of()).get("invites").size());
        assertEquals(
                "reader",
                guest.call("AcceptAgentInvite", Map.of("agentId", agent))
                        .at("/agent/accessRole")
                        .asText());
        assertEquals(0, guest.call("ListAgentInvites", Map.of()).get("invites").size());
        shy.call("DeclineAgentInvite", Map.of("agentId", agent));
        assertEquals(
                404, shy.send("AcceptAgentInvite", Map.of("agentId", agent)).status());

        JsonNode listed = owner.call("ListAgentCollaborators", Map.of("agentId", agent));
        assertFalse(listed.get("publicRead").asBoolean());
        assertTrue(
                StreamSupport.stream(listed.get("collaborators").spliterator(), false)
                        .anyMatch(one -> one.get("accountId").asText().equals(guest.account())
                                && one.get("status").asText().equals("accepted")),
                listed::toString);
        owner.call("RemoveAgentCollaborator", Map.of("agentId", agent, "accountId", guest.account()));
        assertEquals(404, guest.send("GetAgent", Map.of("agentId", agent)).status());
    }

    @Test
    void ownersActions_areRefusedToAWriter() {
        SignedClient owner = newAccount();
        SignedClient writer = newAccount();
        String agent = owner.newAgent();
        invite(owner, writer, agent, "writer");
        writer.call("AcceptAgentInvite", Map.of("agentId", agent));
        Map<String, Map<String, ?>> owners = Map.of(
                "DeleteAgent", Map.of("agentId", agent),
                "InviteAgentCollaborator",
                        Map.of("agentId", agent, "accountId", newAccount().account(), "role", "reader"),
                "RemoveAgentCollaborator", Map.of("agentId", agent, "accountId", writer.account()),
                "SetAgentPublicRead", Map.of("agentId", agent, "publicRead", true));
        owners.forEach((action, members) -> {
            Answer answer = writer.send(action, members);
            assertEquals(403, answer.status(), action);
            assertEquals("owner_access_required", answer.body().get("code").asText(), action);
        });
        assertEquals(200, writer.send("CreateSession", Map.of("agentId", agent)).status());
    }

    @Test
    void runs_areReadAndListedByStatus() {
        SignedClient owner = newAccount();
        String session = owner.newSession();
        owner.message(session, "well");
        owner.messageAsync(session, "/fail").join();
        JsonNode failed = owner.call("ListRuns", Map.of("sessionId", session, "status", "failed"));
        assertEquals(1, failed.get("runs").size());
        String run = failed.at("/runs/0/id").asText();
        JsonNode shown = owner.call("GetRun", Map.of("runId", run)).get("run");
        assertEquals("failed", shown.get("status").asText());
        assertEquals("demo_failure", shown.at("/error/code").asText());
        assertEquals(404, newAccount().send("GetRun", Map.of("runId", run)).status());
        assertEquals(400, owner.send("ListRuns", Map.of()).status());
    }

    @Test
    void tools_ofASession_storeTwoEvents() {
        SignedClient owner = newAccount();
        String session = owner.newSession();
        WatchSocket socket = owner.open();
        socket.subscribe("sessions/" + session);
        owner.call("InvokeSessionTool", tool(session, "write", Map.of("address", "~/memory/u.md", "content", "x")));
        JsonNode read = owner.call("InvokeSessionTool", tool(session, "read", Map.of("address", "~/memory/u.md")));
        assertTrue(read.has("output") && read.toString().contains("x"), read::toString);
        JsonNode missing =
                owner.call("InvokeSessionTool", tool(session, "read", Map.of("address", "~/memory/missing.md")));
        assertTrue(missing.has("error"), missing::toString);
        socket.awaitSeq(session, 6);
        List<JsonNode> events = socket.appends(session);
        for (int i = 0; i < 6; i += 2) {
            JsonNode call = events.get(i).get("event");
            JsonNode result = events.get(i + 1).get("event");
            assertEquals("tool_call", call.get("type").asText());
            assertEquals("tool_result", result.get("type").asText());
            assertEquals("user", call.get("actor").asText());
            assertEquals("user", result.get("actor").asText());
            assertEquals(call.get("id"), result.get("toolCallId"));
        }
        assertEquals(read.get("resultEventId"), events.get(3).get("id"));

        CompletableFuture<Answer> turn = owner.messageAsync(session, "/slow 60000");
        socket.await(frame -> isStatus(frame, session, "streaming"));
        assertEquals(
                409,
                owner.send("InvokeSessionTool", tool(session, "read", Map.of("address", "~/memory/")))
                        .status());
        owner.call("StopSession", Map.of("sessionId", session));
        assertEquals(200, turn.join().status());
    }

    /** Law 12: numbers up to 2^64 - 1, NUL and bytes are stored, shown live, replayed and read back as they came. */
    @Test
    void payload_ofAnyValue_survives() {
        SignedClient owner = newAccount();
        String session = owner.newSession();
        WatchSocket live = owner.open();
        live.subscribe("sessions/" + session);
        JsonNode input = SignedClient.parse("{\"address\":\"~/memory/\",\"most\":18446744073709551615,"
                + "\"least\":-9223372036854775808,\"nul\":\"a\\u0000b\",\"bytes\":{\"/\":{\"bytes\":\"AAEC/w\"}},"
                + "\"text\":\"😀 \\u2028 \\ufeff\"}");
        owner.call("InvokeSessionTool", Map.of("sessionId", session, "verb", "read", "input", input));
        assertEquals(input, live.awaitSeq(session, 1).at("/event/event/input"));
        WatchSocket late = owner.open();
        late.subscribe("sessions/" + session);
        assertEquals(input, late.awaitSeq(session, 1).at("/event/event/input"));
        WatchSocket binary = owner.open(WatchSocket.V2_CBOR);
        binary.subscribe("sessions/" + session);
        assertEquals(input, binary.awaitSeq(session, 1).at("/event/event/input"));
        assertEquals(
                input, owner.call("GetSession", Map.of("sessionId", session)).at("/events/0/event/input"));
    }

    @Test
    void clientIds_makeAnActionOneEvenSignedAnew() {
        SignedClient owner = newAccount();
        Map<String, ?> create = Map.of("definition", Map.of("name", "Once"), "clientRequestId", "a");
        assertEquals(owner.call("CreateAgent", create), owner.call("CreateAgent", create));
        assertEquals(
                409,
                owner.send("CreateAgent", Map.of("definition", Map.of("name", "Twice"), "clientRequestId", "a"))
                        .status());
        String agent = owner.call("CreateAgent", create).get("agentId").asText();
        String session = owner.newSession(agent);
        Map<String, ?> message = Map.of(
                "sessionId",
                session,
                "content",
                List.of(Map.of("type", "text", "text", "hello")),
                "clientMessageId",
                "m");
        assertEquals(owner.call("MessageSession", message), owner.call("MessageSession", message));
        JsonNode events = owner.call("GetSession", Map.of("sessionId", session)).get("events");
        assertEquals(2, events.size());
        assertEquals("m", events.at("/0/event/clientMessageId").asText());
        assertNotEquals(
                "",
                owner.call("MessageSession", message).get("assistantEventId").asText());
    }

    @Test
    void message_behindALiveTurn_isAnsweredAtOnceAndRunsNext() {
        SignedClient owner = newAccount();
        String session = owner.newSession();
        WatchSocket socket = owner.open();
        socket.subscribe("sessions/" + session);
        CompletableFuture<Answer> first = owner.messageAsync(session, "/slow 1500");
        socket.await(frame -> isStatus(frame, session, "streaming"));
        assertEquals("", owner.message(session, "next").get("assistantEventId").asText());
        assertFalse(first.isDone(), "the first turn was still under way");
        socket.awaitSeq(session, 4);
    }

    private static Map<String, Object> tool(String session, String verb, Map<String, ?> input) {
        return Map.of("sessionId", session, "verb", verb, "input", input);
    }
}
