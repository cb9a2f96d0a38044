package dev.tidings.blackbox;

import static dev.tidings.blackbox.WatchSocket.type;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Law 9: a refusal answers and leaves the socket usable; limits and sizes. */
abstract class RefusalSuite extends Suite {

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
    void http_healthAndPlainRequests_areAnswered() {
        HttpResponse<String> health = SignedClient.get(URI.create(base() + "/agents/api/health"));
        assertEquals(200, health.statusCode());
        assertEquals("ok", SignedClient.parse(health.body()).get("status").asText());
        int noUpgrade = SignedClient.get(URI.create(base() + "/agents/ws")).statusCode();
        assertTrue(noUpgrade >= 400 && noUpgrade < 500, "status " + noUpgrade);
    }
}
