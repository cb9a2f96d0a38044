package dev.tidings.blackbox;

import static dev.tidings.blackbox.WatchSocket.type;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Keys that act for an account: registered ones, and those that bring a capability along. */
abstract class SignerSuite extends Suite {

    @Test
    void registeredSigner_actsForTheAccount() {
        SignedClient owner = newAccount();
        SignedClient delegate = newAccount();
        SignedClient acting = delegate.actingFor(owner);
        WatchSocket socket = delegate.open();
        assertEquals(
                "Signer is not authorized for account",
                socket.subscribeAs(acting, "account/" + owner.account(), Map.of())
                        .get("message")
                        .asText());
        Capability capability = owner.capabilityFor(delegate, "AGENT");
        Answer forged = delegate.send(
                "RegisterSigner", Map.of("capability", capability.forged().bytes()));
        assertEquals(400, forged.status());
        assertEquals(
                "Invalid capability signature", forged.body().get("message").asText());
        JsonNode registered = delegate.call("RegisterSigner", Map.of("capability", capability.bytes()));
        assertEquals(owner.account(), registered.get("accountId").asText());
        assertEquals(delegate.account(), registered.get("signerId").asText());

        JsonNode subscribed = socket.subscribeAs(acting, "account/" + owner.account(), Map.of());
        assertEquals("subscribed", type(subscribed));
        assertEquals(owner.account(), subscribed.get("accountId").asText());
        assertEquals(
                "Subscription key is not authorized",
                socket.subscribeAs(acting, "account/" + delegate.account(), Map.of())
                        .get("message")
                        .asText());
        assertEquals(
                "WebSocket account switch is not allowed",
                socket.subscribe("account/" + delegate.account()).get("message").asText());

        String session = acting.newSession();
        acting.message(session, "hello");
        JsonNode said = owner.call("GetSession", Map.of("sessionId", session)).at("/events/0/event/meta");
        assertEquals(owner.account(), said.get("accountId").asText());
        assertEquals(delegate.account(), said.get("signerId").asText());
        assertEquals(
                401,
                owner.actingFor(delegate).send("ListAgents", Map.of()).status(),
                "an authorisation is not symmetric");
    }

    @Test
    void capabilityInTheEnvelope_isTakenAndKept() {
        SignedClient owner = newAccount();
        SignedClient delegate = newAccount();
        String agent = owner.newAgent();
        SignedClient acting = delegate.actingFor(owner, owner.capabilityFor(delegate, "WRITER"));
        WatchSocket socket = delegate.open();
        assertEquals("subscribed", type(socket.subscribeAs(acting, "account/" + owner.account(), Map.of())));
        assertEquals(200, acting.send("CreateSession", Map.of("agentId", agent)).status());
        assertEquals(200, delegate.actingFor(owner).send("ListAgents", Map.of()).status(), "it was stored");
    }

    @Test
    void capability_thatDoesNotFit_isRefused() {
        SignedClient owner = newAccount();
        SignedClient delegate = newAccount();
        SignedClient thief = newAccount();
        assertRefused(
                "Capability delegate does not match envelope signer",
                thief.actingFor(owner, owner.capabilityFor(delegate, "AGENT")));
        assertRefused(
                "Capability role does not permit agent actions",
                delegate.actingFor(owner, owner.capabilityFor(delegate, "READER")));
        assertRefused(
                "Capability was not issued by the envelope account",
                delegate.actingFor(owner, thief.capabilityFor(delegate, "AGENT")));
        assertRefused(
                "Invalid capability signature",
                delegate.actingFor(owner, owner.capabilityFor(delegate, "AGENT").forged()));
        assertRefused("Signer is not authorized for account", delegate.actingFor(owner));
    }

    private static void assertRefused(String message, SignedClient client) {
        Answer answer = client.send("ListAgents", Map.of());
        assertEquals(401, answer.status());
        assertEquals(message, answer.body().get("message").asText());
    }
}
