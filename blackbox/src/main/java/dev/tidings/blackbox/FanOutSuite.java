package dev.tidings.blackbox;

import static dev.tidings.blackbox.WatchSocket.type;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Protocols A5: who gets how many copies of what. */
abstract class FanOutSuite extends Suite {

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
            // The latest state wins: one that another replaced before it was sent need not come. None comes twice.
            List<String> states = frames.stream()
                    .filter(f -> f.path("key").asText().startsWith("runs/"))
                    .map(f -> f.at("/value/status").asText())
                    .toList();
            List<String> possible = new ArrayList<>(List.of("queued", "running", "succeeded"));
            possible.retainAll(states);
            assertEquals(possible, states);
            assertEquals("succeeded", states.get(states.size() - 1));
            assertTrue(hints(frames, "session-updated", "streaming") <= 1, frames::toString);
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
}
