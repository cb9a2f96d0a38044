package dev.tidings.blackbox;

import static dev.tidings.blackbox.AgentsSuite.SERVER;
import static dev.tidings.blackbox.WatchSocket.type;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Law 9: a refusal answers and leaves the socket usable; limits and sizes. */
abstract class RefusalSuite extends Suite {
    /** The default of {@code tidings.agents.max-subscriptions}. */
    private static final int MOST_SUBSCRIPTIONS = 256;

    /** Fewer than {@code tidings.agents.max-refusals}, which would close the socket; and how many at a time. */
    private static final int FLOOD = 900;

    private static final int FLOOD_STEP = 20;

    /** The default of {@code tidings.agents.max-http-message-bytes}. */
    private static final int MOST_HTTP_BYTES = 1 << 20;

    /** Law 9: a refusal answers and leaves the socket usable. */
    @Test
    @ResourceLock(value = SERVER, mode = ResourceAccessMode.READ)
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
    @ResourceLock(value = SERVER, mode = ResourceAccessMode.READ)
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

    /** Law 9: one socket holds no more than so many keys; those that it holds may still be moved. */
    @Test
    @ResourceLock(value = SERVER, mode = ResourceAccessMode.READ)
    void subscriptions_beyondTheLimit_areRefusedAndTheOthersGoOn() {
        SignedClient owner = newAccount();
        String agent = owner.newAgent();
        WatchSocket socket = owner.open();
        List<String> held = new ArrayList<>();
        JsonNode answer = socket.subscribe("account/" + owner.account());
        while (type(answer).equals("subscribed")) {
            String session = owner.newSession(agent);
            answer = socket.subscribe("sessions/" + session);
            held.add(session);
            assertTrue(held.size() < MOST_SUBSCRIPTIONS + 1, "no limit");
        }
        String refused = held.remove(held.size() - 1);
        assertEquals("too_many_subscriptions", answer.get("code").asText());
        assertEquals("sessions/" + refused, answer.get("key").asText());
        assertEquals(MOST_SUBSCRIPTIONS, held.size() + 1);
        assertEquals("subscribed", type(socket.subscribe("sessions/" + held.get(0), 0)));
        owner.message(refused, "unheard");
        owner.message(held.get(0), "heard");
        socket.awaitSeq(held.get(0), 2);
        assertEquals(List.of(), socket.seqs(refused));
    }

    /** Law 9: what comes too fast is refused unread, and the socket is usable again at once when that ends. */
    @Test
    @ResourceLock(SERVER)
    void messages_tooManyASecond_areRefusedWithACode() {
        SignedClient owner = newAccount();
        WatchSocket socket = owner.open();
        int sent = 0;
        while (socket.frames().stream().noneMatch(RefusalSuite::isTooMany)) {
            assertTrue(sent < FLOOD, "no limit");
            for (int i = 0; i < FLOOD_STEP; i++) {
                socket.sendBinary(new byte[] {(byte) 0xff});
            }
            sent += FLOOD_STEP;
            int answered = sent;
            socket.await(frame -> socket.size() > answered);
        }
        String key = "account/" + owner.account();
        JsonNode answer;
        do {
            answer = socket.subscribe(key);
        } while (isTooMany(answer));
        assertEquals("subscribed", type(answer));
    }

    private static boolean isTooMany(JsonNode frame) {
        return frame.path("code").asText().equals("too_many_messages");
    }

    @Test
    @ResourceLock(value = SERVER, mode = ResourceAccessMode.READ)
    void http_tooMuchOrNoCbor_isRefusedWithACode() {
        Answer tooLarge = newAccount().post(new byte[MOST_HTTP_BYTES + 1]).join();
        assertEquals(413, tooLarge.status());
        assertEquals("message_too_large", tooLarge.body().get("code").asText());
        Answer notCbor = newAccount().post(new byte[] {(byte) 0xff}).join();
        assertEquals(400, notCbor.status());
        assertEquals("Invalid CBOR request", notCbor.body().get("message").asText());
        assertEquals("not_canonical", notCbor.body().get("code").asText());
    }

    @Test
    @ResourceLock(value = SERVER, mode = ResourceAccessMode.READ)
    void http_healthAndPlainRequests_areAnswered() {
        HttpResponse<String> health = SignedClient.get(URI.create(base() + "/agents/api/health"));
        assertEquals(200, health.statusCode());
        assertEquals("ok", SignedClient.parse(health.body()).get("status").asText());
        int noUpgrade = SignedClient.get(URI.create(base() + "/agents/ws")).statusCode();
        assertTrue(noUpgrade >= 400 && noUpgrade < 500, "status " + noUpgrade);
    }
}
