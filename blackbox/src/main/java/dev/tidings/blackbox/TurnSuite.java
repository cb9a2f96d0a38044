package dev.tidings.blackbox;

import static dev.tidings.blackbox.WatchSocket.type;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How a turn is shown, from the message to its end. */
abstract class TurnSuite extends Suite {

    /** Protocols A6: the order within a turn; law 12: the deltas add up to what is stored. */
    @Test
    void turn_watchedLive_comesInThePromisedOrder() {
        SignedClient owner = newAccount();
        String session = owner.newSession();
        WatchSocket socket = owner.open();
        JsonNode subscribed = socket.subscribe("sessions/" + session);
        assertEquals("subscribed", type(subscribed));
        assertEquals(owner.account(), subscribed.get("accountId").asText());
        assertEquals("live", subscribed.get("status").asText());

        String text = "the quick brown fox jumps over the lazy dog";
        String answerId = owner.message(session, text).get("assistantEventId").asText();
        socket.await(frame -> isStatus(frame, session, "idle")
                && frame.get("value").get("updatedAt").asLong()
                        > frame.get("value").get("createdAt").asLong());

        List<JsonNode> frames = socket.frames();
        List<String> steps = steps(frames);
        assertEquals("connected", steps.get(0));
        assertEquals(List.of("subscribed", "idle", "user", "streaming", "starting", "responding"), steps.subList(1, 7));
        int thinking = steps.indexOf("thinking");
        assertTrue(thinking > 7, steps::toString);
        assertTrue(steps.subList(7, thinking).stream().allMatch("delta"::equals), steps::toString);
        assertEquals(List.of("thinking", "done", "assistant", "idle"), steps.subList(thinking, steps.size()));

        JsonNode answer = socket.awaitAppend(answerId).get("event");
        assertEquals(deltas(frames), answer.get("event").get("content").asText());
        assertEquals(List.of(1L, 2L), socket.seqs(session));
        JsonNode said = socket.appends(session).get(0).get("event");
        assertEquals(text, said.get("content").asText());
        assertEquals(owner.account(), said.get("meta").get("accountId").asText());
    }

    @Test
    void largeMessages_bothWays_survive() {
        SignedClient owner = newAccount();
        String session = owner.newSession();
        WatchSocket socket = owner.open();
        socket.subscribe("sessions/" + session);
        String large = "0123456789äöüß€😀".repeat(5_000);
        String answer = owner.message(session, large).get("assistantEventId").asText();
        assertTrue(
                socket.awaitAppend(answer).at("/event/event/content").asText().contains(large));
        assertEquals(large, socket.appends(session).get(0).at("/event/content").asText());

        String big =
                owner.message(session, "/big 700000").get("assistantEventId").asText();
        assertEquals(
                700_000,
                socket.awaitAppend(big).at("/event/event/content").asText().length());
        WatchSocket late = owner.open();
        late.subscribe("sessions/" + session);
        late.awaitSeq(session, 4);
        assertEquals(socket.appends(session), late.appends(session), "law 12");
    }

    @Test
    void stop_inMidStream_storesTheTextSoFarAndEndsOnce() {
        SignedClient owner = newAccount();
        String session = owner.newSession();
        WatchSocket socket = owner.open();
        socket.subscribe("sessions/" + session);
        socket.subscribe("account/" + owner.account());
        CompletableFuture<Answer> turn = owner.messageAsync(session, "/stream 100000 10 5");
        socket.await(Suite::isDelta);
        assertTrue(owner.call("StopSession", Map.of("sessionId", session))
                .get("stopped")
                .asBoolean());
        assertFalse(owner.call("StopSession", Map.of("sessionId", session))
                .get("stopped")
                .asBoolean());
        socket.await(frame -> isRun(frame, "canceled"));
        JsonNode partial = socket.awaitSeq(session, 2);
        String text = partial.at("/event/event/content").asText();
        assertNotEquals("", text);
        assertTrue(text.startsWith(deltas(socket.frames()))
                || deltas(socket.frames()).startsWith(text));
        assertEquals(200, turn.join().status());
        int statusFrames = socket.size();
        owner.message(session, "and on");
        socket.awaitSeq(session, 4);
        assertEquals(List.of(1L, 2L, 3L, 4L), socket.seqs(session));
        assertTrue(statusFrames > 0);
        assertEquals(
                1, socket.frames().stream().filter(f -> isRun(f, "canceled")).count());
    }

    @Test
    void failure_endsTheTurnWithAnErrorEventAndA502() {
        SignedClient owner = newAccount();
        String session = owner.newSession();
        WatchSocket socket = owner.open();
        socket.subscribe("sessions/" + session);
        Answer answer = owner.send(
                "MessageSession",
                Map.of("sessionId", session, "content", List.of(Map.of("type", "text", "text", "/fail"))));
        assertEquals(502, answer.status());
        JsonNode error = socket.awaitSeq(session, 2).at("/event/event");
        assertEquals("error", error.get("type").asText());
        assertEquals(answer.body().get("message").asText(), error.get("message").asText());
        socket.await(frame -> isStatus(frame, session, "error"));
    }

    @Test
    void listRuns_afterTurns_eachEndedOnce() {
        SignedClient owner = newAccount();
        String session = owner.newSession();
        for (int i = 0; i < 3; i++) {
            owner.message(session, "turn " + i);
        }
        JsonNode runs = owner.call("ListRuns", Map.of("sessionId", session)).get("runs");
        assertEquals(3, runs.size());
        runs.forEach(run -> assertEquals("succeeded", run.get("status").asText()));
    }

    /** A9: the same bytes again get the first answer, never a second effect. */
    @Test
    void sameSignature_again_hasOneEffect() {
        SignedClient owner = newAccount();
        String session = owner.newSession();
        byte[] once = owner.signed(
                "MessageSession",
                Map.of("sessionId", session, "content", List.of(Map.of("type", "text", "text", "once"))));
        Answer first = owner.post(once).join();
        Answer again = owner.post(once).join();
        assertEquals(200, first.status());
        assertEquals(first, again);
        assertEquals(
                2,
                owner.call("GetSession", Map.of("sessionId", session))
                        .get("events")
                        .size());
    }
}
