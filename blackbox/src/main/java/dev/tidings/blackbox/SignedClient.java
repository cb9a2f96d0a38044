package dev.tidings.blackbox;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidings.envelope.CborValue;
import dev.tidings.envelope.Checked;
import dev.tidings.envelope.DagCbor;
import dev.tidings.envelope.EnvelopeFixtures;
import dev.tidings.envelope.EnvelopeFixtures.Signer;
import dev.tidings.envelope.EnvelopeLimits;
import dev.tidings.envelope.Principal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * One account, with its key: signs actions and opens sockets.
 *
 * <p>Threads: any.
 */
public final class SignedClient {
    // As browsers do: Java's client would ask for an upgrade to HTTP/2 in clear text, in which Payara's Grizzly loses
    // requests.
    private static final HttpClient HTTP = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final SecureRandom RANDOM = new SecureRandom();

    private final URI base;
    private final Signer signer;
    private final Principal account;
    private final Map<String, CborValue> envelopeMembers;

    private SignedClient(URI base, Signer signer, Principal account, Map<String, CborValue> envelopeMembers) {
        this.base = base;
        this.signer = signer;
        this.account = account;
        this.envelopeMembers = envelopeMembers;
    }

    private SignedClient(URI base, Signer signer) {
        this(base, signer, signer.principal(), Map.of());
    }

    /**
     * A new account.
     *
     * @param base where the server is, without a slash at the end
     */
    public static SignedClient newAccount(URI base) {
        byte[] seed = new byte[32];
        RANDOM.nextBytes(seed);
        return of(base, Signer.fromSeed(seed));
    }

    /** The account of a key. */
    public static SignedClient of(URI base, Signer signer) {
        return new SignedClient(base, signer);
    }

    /** The same account at another address, for a server that was started again. */
    public SignedClient at(URI otherBase) {
        return new SignedClient(otherBase, signer, account, envelopeMembers);
    }

    /** This signer, acting for another account. */
    public SignedClient actingFor(SignedClient owner) {
        return new SignedClient(base, signer, owner.account, Map.of());
    }

    /** This signer, acting for another account with a capability in each envelope. */
    public SignedClient actingFor(SignedClient owner, Capability capability) {
        return new SignedClient(base, signer, owner.account, capability.envelopeMembers());
    }

    /** A capability that this account gives to a signer. */
    public Capability capabilityFor(SignedClient delegate, String role) {
        return Capability.signed(signer, delegate.signer.principal(), role);
    }

    /** The account's id. */
    public String account() {
        return account.text();
    }

    /** The signer's id; the account's, unless it acts for another one. */
    public String signerId() {
        return signer.id();
    }

    /** A signed action, as its bytes. */
    public byte[] signed(String action, Map<String, ?> members) {
        Map<String, CborValue> values = new java.util.LinkedHashMap<>();
        members.forEach((name, value) -> values.put(name, cbor(value)));
        return EnvelopeFixtures.signed(
                signer, account, EnvelopeFixtures.action(action, System.currentTimeMillis(), values), envelopeMembers);
    }

    /** Sends an action and hands back whatever comes. */
    public Answer send(String action, Map<String, ?> members) {
        return post(signed(action, members)).join();
    }

    /** Sends an action without waiting for its answer. */
    public CompletableFuture<Answer> sendAsync(String action, Map<String, ?> members) {
        return post(signed(action, members));
    }

    /** Sends an action that must succeed; gives its response. */
    public JsonNode call(String action, Map<String, ?> members) {
        Answer answer = send(action, members);
        if (answer.status() != 200) {
            throw new AssertionError(action + " was answered " + answer.status() + ": " + answer.body());
        }
        return answer.body();
    }

    /** Sends bytes to the signed API. */
    public CompletableFuture<Answer> post(byte[] message) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(base + "/agents/api/message"))
                .header("content-type", "application/cbor")
                .timeout(Duration.ofSeconds(120))
                .POST(BodyPublishers.ofByteArray(message))
                .build();
        return HTTP.sendAsync(request, BodyHandlers.ofByteArray())
                .thenApply(response -> new Answer(response.statusCode(), checked(fromCbor(response.body()))));
    }

    /** A plain GET; gives the status and the text. */
    public static HttpResponse<String> get(URI uri) {
        try {
            return HTTP.send(
                    HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(20)).build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** Makes an agent and a session of it. */
    public String newSession() {
        return newSession(newAgent());
    }

    /** Makes an agent. */
    public String newAgent() {
        return call(
                        "CreateAgent",
                        Map.of(
                                "definition",
                                Map.of(
                                        "name", "Black box",
                                        "systemPrompt", "Echo.",
                                        "modelProvider", "demo",
                                        "model", "demo")))
                .get("agentId")
                .asText();
    }

    /** Makes a session of an agent. */
    public String newSession(String agentId) {
        return call("CreateSession", Map.of("agentId", agentId))
                .get("sessionId")
                .asText();
    }

    /** Sends a message and waits until its turn ended. */
    public JsonNode message(String sessionId, String text) {
        return call("MessageSession", messageOf(sessionId, text));
    }

    /** Sends a message; done when its turn ended. */
    public CompletableFuture<Answer> messageAsync(String sessionId, String text) {
        return sendAsync("MessageSession", messageOf(sessionId, text));
    }

    private static Map<String, Object> messageOf(String sessionId, String text) {
        return Map.of("sessionId", sessionId, "content", List.of(Map.of("type", "text", "text", text)));
    }

    /** Opens a socket and waits for its {@code connected}. */
    public WatchSocket open() {
        return open("");
    }

    /** Opens a socket with a sub-protocol and waits for its {@code connected}. */
    public WatchSocket open(String subprotocol) {
        return WatchSocket.open(HTTP, base, this, subprotocol);
    }

    private static JsonNode checked(JsonNode response) {
        List<String> faults = AsyncApi.document().faultsOfResponse(response);
        if (!faults.isEmpty()) {
            throw new AssertionError("against docs/asyncapi.yaml: " + faults);
        }
        return response;
    }

    static JsonNode fromCbor(byte[] cbor) {
        Checked<CborValue> value = DagCbor.decode(cbor, EnvelopeLimits.DEFAULT);
        return value.fold(accepted -> parse(DagCbor.toJson(accepted)), refusal -> {
            throw new AssertionError("not canonical DAG-CBOR: " + Arrays.toString(cbor));
        });
    }

    static JsonNode parse(byte[] json) {
        try {
            return JSON.readTree(json);
        } catch (IOException e) {
            throw new AssertionError("not JSON", e);
        }
    }

    static JsonNode parse(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException e) {
            throw new AssertionError("not JSON: " + json, e);
        }
    }

    private static CborValue cbor(Object value) {
        try {
            return DagCbor.fromJson(JSON.writeValueAsBytes(value));
        } catch (JsonProcessingException e) {
            throw new AssertionError("not a value", e);
        }
    }
}
