package dev.tidings.blackbox;

import static dev.tidings.blackbox.WatchSocket.type;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * What any server must do for a client of the Agents API, seen from outside. The server answers with the demo agent.
 *
 * <p>Public because the tests of other modules extend it. Threads: as JUnit does.
 */
public abstract class AgentsSuite {

    /** Where the server is, without a slash at the end. */
    protected abstract URI base();

    private SignedClient newAccount() {
        return SignedClient.newAccount(base());
    }

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

    private static List<String> steps(List<JsonNode> frames) {
        return frames.stream()
                .map(frame -> switch (type(frame)) {
                    case "append" ->
                        frame.get("event").get("event").path("role").asText();
                    case "change" -> frame.get("value").path("status").asText();
                    case "appendPartial" -> {
                        JsonNode patch = frame.get("patch");
                        yield patch.has("textDelta")
                                ? "delta"
                                : patch.has("done")
                                        ? "done"
                                        : patch.path("activity").path("phase").asText();
                    }
                    default -> type(frame);
                })
                .collect(Collectors.toCollection(ArrayList::new));
    }

    private static String deltas(List<JsonNode> frames) {
        return frames.stream()
                .filter(frame -> type(frame).equals("appendPartial"))
                .map(frame -> frame.get("patch").path("textDelta").asText(""))
                .collect(Collectors.joining());
    }

    private static boolean isStatus(JsonNode frame, String session, String status) {
        return type(frame).equals("change")
                && frame.get("key").asText().equals("sessions/" + session)
                && frame.get("value").path("status").asText().equals(status);
    }

    /** Law 1: each gets exactly what is behind its cursor, in order, once, whenever it joins. */
    @Test
    void fortySockets_joinABusySessionAtRandom_eachGetsExactlyWhatIsBehindItsCursor() throws Exception {
        long seed = Long.getLong("tidings.seed", System.nanoTime());
        System.out.println("forty sockets: -Dtidings.seed=" + seed);
        Random random = new Random(seed);
        SignedClient owner = newAccount();
        String session = owner.newSession();
        WatchSocket pace = owner.open();
        pace.subscribe("sessions/" + session);
        int turns = 40;
        long last = 2L * turns;

        ExecutorService pool = Executors.newFixedThreadPool(41);
        try {
            List<Future<List<Long>>> joined = new ArrayList<>();
            List<Long> cursors = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                long moment = random.nextLong(1, last + 1);
                long afterSeq = random.nextLong(0, moment + 1);
                cursors.add(afterSeq);
                joined.add(pool.submit(() -> {
                    pace.awaitSeq(session, moment);
                    WatchSocket socket = owner.open();
                    assertEquals("subscribed", type(socket.subscribe("sessions/" + session, afterSeq)));
                    if (afterSeq < last) {
                        socket.awaitSeq(session, last);
                    }
                    List<Long> seqs = socket.seqs(session);
                    socket.close();
                    return seqs;
                }));
            }
            for (int turn = 0; turn < turns; turn++) {
                owner.message(session, turn % 4 == 0 ? "/stream 20 30 1" : "turn " + turn);
            }
            for (int i = 0; i < 40; i++) {
                List<Long> expected =
                        LongStream.rangeClosed(cursors.get(i) + 1, last).boxed().toList();
                assertEquals(expected, joined.get(i).get(60, TimeUnit.SECONDS), "afterSeq " + cursors.get(i));
            }
        } finally {
            pool.shutdownNow();
        }
    }

    /** Law 1: cut at random points, resumed with the last seq that was seen, until the log is complete. */
    @Test
    void reconnects_cutAtRandom_noGapNoRepeat() {
        SignedClient owner = newAccount();
        String session = owner.newSession();
        int turns = 30;
        CompletableFuture<Void> talk = CompletableFuture.runAsync(() -> {
            for (int turn = 0; turn < turns; turn++) {
                owner.message(session, "/stream 10 10 1");
            }
        });
        List<Long> seen = new ArrayList<>();
        while (seen.size() < 2 * turns) {
            WatchSocket socket = owner.open();
            long cursor = seen.size();
            assertEquals("subscribed", type(socket.subscribe("sessions/" + session, cursor)));
            socket.awaitSeq(session, cursor + 1);
            socket.abort();
            seen.addAll(socket.seqs(session));
        }
        talk.join();
        assertEquals(LongStream.rangeClosed(1, 2L * turns).boxed().toList(), seen);
    }

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
        readers.await(AgentsSuite::isDelta);
        owner.call("RemoveAgentCollaborator", Map.of("agentId", agent, "accountId", reader.account()));
        // What was in flight has arrived by the time the owner has seen this much more.
        int now = owners.size();
        for (int i = 0; i < 20; i++) {
            int from = now;
            owners.awaitFrom(from, AgentsSuite::isDelta);
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

    private static List<JsonNode> tail(WatchSocket socket, int from) {
        List<JsonNode> frames = socket.frames();
        return frames.subList(Math.min(from, frames.size()), frames.size());
    }

    private static boolean isDelta(JsonNode frame) {
        return type(frame).equals("appendPartial") && frame.get("patch").has("textDelta");
    }

    private static void invite(SignedClient owner, SignedClient guest, String agent, String role) {
        owner.call("InviteAgentCollaborator", Map.of("agentId", agent, "accountId", guest.account(), "role", role));
    }

    /** A5: hints and run changes to every member, once each, under the member's own key; never the transcript. */
    @Test
    void accountKey_duringATurn_carriesHintsAndRunChangesOnly() {
        SignedClient owner = newAccount();
        SignedClient guest = newAccount();
        String agent = owner.newAgent();
        String session = owner.newSession(agent);
        invite(owner, guest, agent, "writer");
        guest.call("AcceptAgentInvite", Map.of("agentId", agent));
        WatchSocket owners = owner.open();
        WatchSocket guests = guest.open();
        assertEquals("subscribed", type(owners.subscribe("account/" + owner.account())));
        assertEquals("subscribed", type(guests.subscribe("account/" + guest.account())));
        assertEquals(
                "Subscription key is not authorized",
                guests.subscribe("account/" + owner.account()).get("message").asText());

        guest.message(session, "hello");
        for (WatchSocket socket : List.of(owners, guests)) {
            socket.await(frame -> isRun(frame, "succeeded"));
            socket.await(
                    frame -> isHint(frame, "session-updated") && status(frame).equals("idle"));
            // The trailing edge of the coalesced hints: after it nothing of this turn is still to come.
            socket.await(frame -> isHint(frame, "session-event")
                    && frame.get("value")
                            .path("activity")
                            .path("messageFrom")
                            .asText()
                            .equals("agent"));
        }
        for (Map.Entry<WatchSocket, SignedClient> each :
                Map.of(owners, owner, guests, guest).entrySet()) {
            List<JsonNode> frames = each.getKey().frames();
            String key = "account/" + each.getValue().account();
            assertTrue(frames.stream().noneMatch(f -> type(f).startsWith("append")), frames::toString);
            for (String status : List.of("queued", "running", "succeeded")) {
                assertEquals(1, frames.stream().filter(f -> isRun(f, status)).count(), () -> status + " in " + frames);
            }
            assertEquals(1, hints(frames, "session-updated", "streaming"), frames::toString);
            assertEquals(1, hints(frames, "session-updated", "idle"), frames::toString);
            assertTrue(frames.stream()
                    .filter(f -> f.path("value").has("reason"))
                    .allMatch(f -> f.get("key").asText().equals(key)));
            JsonNode idle = each.getKey()
                    .await(f -> isHint(f, "session-updated") && status(f).equals("idle"));
            assertFalse(idle.get("value").get("activity").get("busy").asBoolean());
            assertEquals(
                    session, idle.get("value").get("activity").get("sessionId").asText());
        }
    }

    private static long hints(List<JsonNode> frames, String reason, String status) {
        return frames.stream()
                .filter(f -> isHint(f, reason) && status(f).equals(status))
                .count();
    }

    private static boolean isHint(JsonNode frame, String reason) {
        return type(frame).equals("change")
                && frame.get("value").path("reason").asText().equals(reason);
    }

    private static String status(JsonNode hint) {
        return hint.get("value").path("session").path("status").asText();
    }

    private static boolean isRun(JsonNode frame, String status) {
        return type(frame).equals("change")
                && frame.get("key").asText().startsWith("runs/")
                && frame.get("value").path("status").asText().equals(status);
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
        socket.await(AgentsSuite::isDelta);
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

    /** Law 9: a refusal answers and leaves the socket usable. */
    @Test
    void refusals_leaveTheSocketUsable() {
        SignedClient owner = newAccount();
        String session = owner.newSession();
        String key = "sessions/" + session;
        WatchSocket socket = owner.open();
        socket.sendBinary(new byte[] {(byte) 0xff});
        socket.sendBinary(new byte[0]);
        socket.sendText("hello");
        byte[] forged = owner.signed("Subscribe", Map.of("key", key));
        forged[forged.length - 1] ^= 1;
        socket.sendBinary(forged);
        socket.sendBinary(owner.signed("ListAgents", Map.of()));
        socket.await(frame -> frame.path("message").asText().equals("Expected Subscribe action"));
        List<JsonNode> errors =
                socket.frames().stream().filter(f -> type(f).equals("error")).toList();
        assertEquals(5, errors.size(), errors::toString);
        assertTrue(errors.stream().allMatch(error -> !error.get("code").asText().isEmpty()), errors::toString);

        SignedClient stranger = newAccount();
        assertEquals("subscribed", type(socket.subscribe(key)));
        socket.sendBinary(stranger.signed("Subscribe", Map.of("key", "account/" + stranger.account())));
        socket.await(frame -> frame.path("message").asText().equals("WebSocket account switch is not allowed"));
        assertEquals("subscribed", type(socket.subscribe(key, 0)));
    }

    /** Failure modes 59 and 75: sizes around the containers' default buffers, whole and in fragments. */
    @Test
    void subscribe_ofAnySizeUpToTheLimit_isTaken() {
        SignedClient owner = newAccount();
        String key = "sessions/" + owner.newSession();
        for (int padding : new int[] {7_900, 8_192, 65_536, 200_000}) {
            WatchSocket socket = owner.open();
            byte[] message = owner.signed("Subscribe", Map.of("key", key, "padding", "x".repeat(padding)));
            socket.sendBinary(message);
            assertEquals("subscribed", type(socket.await(f -> !type(f).equals("connected"))), "padding " + padding);
            int before = socket.size();
            socket.sendFragments(message, 1_000);
            assertEquals("subscribed", type(socket.awaitFrom(before, f -> !type(f).equals("change"))));
            socket.close();
        }
        WatchSocket asText = owner.open();
        asText.sendText(dev.tidings.envelope.EnvelopeFixtures.asText(owner.signed("Subscribe", Map.of("key", key))));
        assertEquals("subscribed", type(asText.await(f -> !type(f).equals("connected"))));
        WatchSocket tooBig = owner.open();
        tooBig.sendBinary(owner.signed("Subscribe", Map.of("key", key, "padding", "x".repeat(262_144))));
        assertEquals(1009, tooBig.awaitClose());
    }

    @Test
    void afterSeq_beyondTheHead_standsAtTheHead() {
        SignedClient owner = newAccount();
        String session = owner.newSession();
        owner.message(session, "one");
        WatchSocket socket = owner.open();
        JsonNode ahead = socket.subscribe("sessions/" + session, 1_000);
        assertEquals("ahead", ahead.get("status").asText());
        owner.message(session, "two");
        socket.awaitSeq(session, 4);
        assertEquals(List.of(3L, 4L), socket.seqs(session));
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

    @Test
    void http_healthAndPlainRequests_areAnswered() {
        HttpResponse<String> health = SignedClient.get(URI.create(base() + "/agents/api/health"));
        assertEquals(200, health.statusCode());
        assertEquals("ok", SignedClient.parse(health.body()).get("status").asText());
        int noUpgrade = SignedClient.get(URI.create(base() + "/agents/ws")).statusCode();
        assertTrue(noUpgrade >= 400 && noUpgrade < 500, "status " + noUpgrade);
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
