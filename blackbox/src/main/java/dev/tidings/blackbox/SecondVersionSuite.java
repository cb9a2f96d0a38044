package dev.tidings.blackbox;

import static dev.tidings.blackbox.WatchSocket.type;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Protocols A8: what a client gets more that offers {@code tidings.v2}, in JSON and in DAG-CBOR. */
abstract class SecondVersionSuite extends Suite {

    @ParameterizedTest
    @ValueSource(strings = {WatchSocket.V2, WatchSocket.V2_CBOR})
    void turn_inBothEncodings_isTheSame(String subprotocol) {
        SignedClient owner = newAccount();
        String session = owner.newSession();
        WatchSocket socket = owner.open(subprotocol);
        WatchSocket plain = owner.open();
        socket.subscribe("sessions/" + session);
        plain.subscribe("sessions/" + session);
        owner.message(session, "hello äöü 😀");
        socket.awaitSeq(session, 2);
        plain.awaitSeq(session, 2);
        assertEquals(plain.appends(session), socket.appends(session));
    }

    @ParameterizedTest
    @ValueSource(strings = {WatchSocket.V2, WatchSocket.V2_CBOR})
    void unsubscribe_isAnswered_andNothingMoreComes(String subprotocol) {
        SignedClient owner = newAccount();
        String session = owner.newSession();
        String other = owner.newSession();
        WatchSocket socket = owner.open(subprotocol);
        socket.subscribe("sessions/" + session);
        socket.subscribe("sessions/" + other);
        owner.message(session, "heard");
        socket.awaitSeq(session, 2);
        JsonNode answer = socket.unsubscribe("sessions/" + session);
        assertEquals("unsubscribed", type(answer));
        assertEquals("sessions/" + session, answer.get("key").asText());
        owner.message(session, "unheard");
        owner.message(other, "heard");
        socket.awaitSeq(other, 2);
        assertEquals(List.of(1L, 2L), socket.seqs(session));
        JsonNode again = socket.subscribe("sessions/" + session, 2);
        assertEquals("replayed", again.get("status").asText());
        socket.awaitSeq(session, 4);
        assertEquals(List.of(1L, 2L, 3L, 4L), socket.seqs(session));
    }

    /** A12 of the checks: the first version knows Subscribe only. */
    @Test
    void unsubscribe_withoutTheSubprotocol_isRefused() {
        SignedClient owner = newAccount();
        WatchSocket socket = owner.open();
        socket.subscribe("account/" + owner.account());
        assertEquals(
                "Expected Subscribe action",
                socket.unsubscribe("account/" + owner.account()).path("message").asText());
    }

    @Test
    void heartbeat_tellsHowFarEachStreamReaches() {
        SignedClient owner = newAccount();
        String session = owner.newSession();
        owner.message(session, "hello");
        WatchSocket socket = owner.open(WatchSocket.V2);
        socket.subscribe("sessions/" + session);
        JsonNode heartbeat = socket.await(frame -> type(frame).equals("heartbeat")
                && frame.get("heads").path("sessions/" + session).asLong() == 2);
        assertEquals(1, heartbeat.get("heads").size());
    }

    @Test
    void revoked_isSaidWhenAccessEnds_toTheSecondVersionOnly() {
        SignedClient owner = newAccount();
        SignedClient reader = newAccount();
        String agent = owner.newAgent();
        String session = owner.newSession(agent);
        invite(owner, reader, agent, "reader");
        reader.call("AcceptAgentInvite", Map.of("agentId", agent));
        WatchSocket second = reader.open(WatchSocket.V2);
        WatchSocket first = reader.open();
        for (WatchSocket socket : List.of(second, first)) {
            socket.subscribe("sessions/" + session);
            socket.subscribe("agents/" + agent);
            socket.subscribe("account/" + reader.account());
        }
        owner.call("RemoveAgentCollaborator", Map.of("agentId", agent, "accountId", reader.account()));
        List<String> revoked = List.of("agents/" + agent, "sessions/" + session);
        for (String key : revoked) {
            second.await(frame -> isRevoked(frame, key));
        }
        assertEquals("subscribed", type(second.subscribe("account/" + reader.account())));
        // A frame that it may not get would be a fault of the first socket.
        assertEquals("subscribed", type(first.subscribe("account/" + reader.account())));
        assertEquals(
                revoked,
                second.frames().stream()
                        .filter(frame -> type(frame).equals("revoked"))
                        .map(frame -> frame.get("key").asText())
                        .sorted()
                        .toList());
    }

    @Test
    void revoked_isSaidWhenTheSessionIsDeleted() {
        SignedClient owner = newAccount();
        String session = owner.newSession();
        WatchSocket socket = owner.open(WatchSocket.V2);
        socket.subscribe("sessions/" + session);
        owner.call("DeleteSession", Map.of("sessionId", session));
        socket.await(frame -> isRevoked(frame, "sessions/" + session));
    }

    /** Law 12: the text so far and the deltas behind it add up to the stored message. */
    @Test
    void joiningARunningTurn_showsTheTextSoFar() {
        SignedClient owner = newAccount();
        String session = owner.newSession();
        WatchSocket first = owner.open();
        first.subscribe("sessions/" + session);
        CompletableFuture<Answer> turn = owner.messageAsync(session, "/stream 150 10 10");
        for (int heard = 0, at = 0; heard < 20; heard++, at = first.size()) {
            first.awaitFrom(at, Suite::isDelta);
        }
        WatchSocket joining = owner.open(WatchSocket.V2);
        joining.subscribe("sessions/" + session);
        String answer = turn.join().body().get("assistantEventId").asText();
        String content = joining.awaitAppend(answer).at("/event/event/content").asText();
        List<JsonNode> text = joining.frames().stream()
                .filter(frame -> frame.path("patch").has("textDelta"))
                .toList();
        assertTrue(text.get(0).get("patch").has("offset"), () -> "first: " + text.get(0));
        assertEquals(0, text.get(0).get("patch").get("offset").asLong());
        assertFalse(text.get(0).get("patch").get("textDelta").asText().isEmpty());
        assertEquals(
                content,
                text.stream()
                        .map(frame -> frame.get("patch").get("textDelta").asText())
                        .collect(Collectors.joining()));
    }

    @Test
    void epochAndCursor_resumeExactly_andAnotherEpochStartsAnew() {
        SignedClient owner = newAccount();
        String session = owner.newSession();
        String key = "sessions/" + session;
        owner.message(session, "one");
        WatchSocket first = owner.open();
        JsonNode whole = first.subscribe(key);
        String epoch = whole.get("epoch").asText();
        first.awaitSeq(session, 2);
        long cursor = first.subscribe(key, 2).get("cursor").asLong();
        owner.message(session, "two");

        WatchSocket resumed = owner.open();
        JsonNode answer = resumed.subscribe(key, Map.of("cursor", cursor, "epoch", epoch));
        assertEquals("replayed", answer.get("status").asText());
        resumed.awaitSeq(session, 4);
        assertEquals(List.of(3L, 4L), resumed.seqs(session));

        WatchSocket reset = owner.open();
        assertEquals(
                "reset",
                reset.subscribe(key, Map.of("afterSeq", 3, "epoch", "another"))
                        .get("status")
                        .asText());
        reset.awaitSeq(session, 4);
        assertEquals(List.of(1L, 2L, 3L, 4L), reset.seqs(session));
    }

    private static boolean isRevoked(JsonNode frame, String key) {
        return type(frame).equals("revoked") && frame.get("key").asText().equals(key);
    }
}
