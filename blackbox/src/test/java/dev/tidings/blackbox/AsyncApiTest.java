package dev.tidings.blackbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.dialect.Dialects;
import dev.tidings.envelope.CborValue;
import dev.tidings.envelope.CborValue.MapValue;
import dev.tidings.envelope.DagCbor;
import dev.tidings.envelope.Principal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bouncycastle.math.ec.rfc8032.Ed25519;
import org.junit.jupiter.api.Test;

/**
 * The document is well-formed and true to itself: references lead somewhere, schemas are schemas, examples are valid and
 * signed. Whether it is AsyncAPI by the letter is tested where the official schema is to be had.
 */
class AsyncApiTest {
    private static final Set<String> ROOT =
            Set.of("asyncapi", "info", "servers", "defaultContentType", "channels", "operations", "components");

    private final AsyncApi api = AsyncApi.document();
    private final JsonNode document = api.json();

    @Test
    void document_isAsyncApi3() {
        assertEquals("3.0.0", document.path("asyncapi").asText());
        Set<String> members = new HashSet<>();
        document.fieldNames().forEachRemaining(members::add);
        assertEquals(ROOT, members);
        assertTrue(document.at("/info/title").isTextual());
        assertTrue(document.at("/info/version").isTextual());
        document.path("servers").forEach(server -> {
            assertTrue(server.path("host").isTextual());
            assertTrue(Set.of("ws", "http").contains(server.path("protocol").asText()));
            assertFalse(server.path("security").isEmpty());
        });
    }

    @Test
    void references_allLeadSomewhere() {
        List<String> dead = new ArrayList<>();
        int[] count = {0};
        each(document, node -> {
            if (node.path("$ref").isTextual()) {
                String target = node.get("$ref").asText();
                count[0]++;
                if (!target.startsWith("#/") || document.at(target.substring(1)).isMissingNode()) {
                    dead.add(target);
                }
            }
        });
        assertEquals(List.of(), dead);
        assertTrue(count[0] > 100, "references: " + count[0]);
    }

    @Test
    void operations_useTheMessagesOfTheirChannel() {
        Set<String> used = new HashSet<>();
        document.path("operations").fields().forEachRemaining(entry -> {
            JsonNode operation = entry.getValue();
            assertTrue(
                    Set.of("send", "receive").contains(operation.path("action").asText()), entry.getKey());
            String channel = operation.at("/channel/$ref").asText();
            assertFalse(operation.path("messages").isEmpty(), entry.getKey());
            for (JsonNode messages : List.of(operation.path("messages"), operation.at("/reply/messages"))) {
                messages.forEach(message -> {
                    assertTrue(message.path("$ref").asText().startsWith(channel + "/messages/"), message::toString);
                    used.add(message.path("$ref").asText());
                });
            }
        });
        Set<String> offered = new HashSet<>();
        document.path("channels")
                .fields()
                .forEachRemaining(channel -> channel.getValue()
                        .path("messages")
                        .fieldNames()
                        .forEachRemaining(name -> offered.add("#/channels/" + channel.getKey() + "/messages/" + name)));
        assertEquals(offered, used, "each message of a channel belongs to an operation");
    }

    @Test
    void components_areAllUsed() {
        Set<String> referenced = new HashSet<>();
        each(document, node -> referenced.add(node.path("$ref").asText()));
        for (String kind : List.of("messages", "schemas", "securitySchemes")) {
            document.at("/components/" + kind)
                    .fieldNames()
                    .forEachRemaining(name ->
                            assertTrue(referenced.contains("#/components/" + kind + "/" + name), kind + " " + name));
        }
    }

    @Test
    void schemas_areSchemas() {
        Schema meta = SchemaRegistry.withDialect(Dialects.getDraft7())
                .getSchema(SchemaLocation.of("http://json-schema.org/draft-07/schema#"));
        document.at("/components/schemas")
                .fields()
                .forEachRemaining(
                        entry -> assertEquals(List.of(), meta.validate(entry.getValue()), () -> entry.getKey()));
        document.at("/components/messages")
                .fields()
                .forEachRemaining(entry ->
                        assertEquals(List.of(), meta.validate(entry.getValue().path("payload")), () -> entry.getKey()));
        assertFalse(meta.validate(((ObjectNode) document).objectNode().put("type", "nothing"))
                .isEmpty());
    }

    @Test
    void messages_haveATitleAndExamplesThatAreValid() {
        document.at("/components/messages").fields().forEachRemaining(entry -> {
            JsonNode message = entry.getValue();
            assertTrue(message.path("title").isTextual(), entry.getKey());
            assertFalse(message.path("examples").isEmpty(), entry.getKey());
            message.path("examples")
                    .forEach(example -> assertEquals(
                            List.of(),
                            api.faultsAt(
                                    "/components/messages/" + entry.getKey() + "/payload", example.path("payload"))));
        });
    }

    /** What a reader may copy: the examples of client messages carry signatures that verify. */
    @Test
    void examplesOfClientMessages_areSigned() {
        for (String name : List.of("subscribe", "unsubscribe", "actionRequest")) {
            for (JsonNode example : document.at("/components/messages/" + name + "/examples")) {
                MapValue envelope = (MapValue)
                        DagCbor.fromJson(example.path("payload").toString().getBytes(StandardCharsets.UTF_8));
                Map<String, CborValue> members = new LinkedHashMap<>(envelope.members());
                byte[] signature = bytes(members.get("sig"));
                members.put("sig", CborValue.bytes(new byte[64]));
                byte[] signed = DagCbor.encode(CborValue.map(members));
                byte[] signer = bytes(members.get("signer"));
                assertTrue(Principal.fromBytes(signer).isPresent(), name);
                assertTrue(Ed25519.verify(signature, 0, signer, 2, signed, 0, signed.length), name);
            }
        }
    }

    private static byte[] bytes(@org.jspecify.annotations.Nullable CborValue value) {
        return ((CborValue.BytesValue) java.util.Objects.requireNonNull(value))
                .value()
                .toByteArray();
    }

    @Test
    void frames_ofServer_areToldApart() {
        document.at("/operations/sendFrames/messages").forEach(this::checkExamples);
        document.at("/operations/sendMoreFrames/messages").forEach(this::checkExamples);
    }

    private void checkExamples(JsonNode reference) {
        api.resolve(reference)
                .path("examples")
                .forEach(example -> assertEquals(List.of(), api.faultsOfFrame(example.path("payload"), true)));
    }

    /** All fifteen types of protocol B, and what tells of a gap; each has an example. */
    @Test
    void events_ofConversations_areAllThereWithAnExample() {
        Set<String> shown = new HashSet<>();
        document.at("/operations/sendConversationEvents/messages")
                .forEach(reference -> api.resolve(reference).path("examples").forEach(example -> {
                    JsonNode event = example.path("payload");
                    assertEquals(List.of(), api.faultsOfEvent(event));
                    shown.add(event.path("type").asText());
                }));
        Set<String> types = new HashSet<>(Set.of(
                "run.started",
                "run.progress",
                "message.created",
                "message.delta",
                "run.completed",
                "run.failed",
                "run.cancelled",
                "queue.updated",
                "conversation.updated",
                "conversation.deleted",
                "subagent.started",
                "subagent.message.created",
                "subagent.completed",
                "subagent.failed",
                "heartbeat"));
        types.addAll(Set.of("replay.truncated", "replay.reset"));
        assertEquals(types, shown);
        assertEquals(types, api.eventTypes());
        document.at("/components/messages/recentEvents/examples")
                .forEach(example -> assertEquals(List.of(), api.faultsOfRecentEvents(example.path("payload"))));
    }

    @Test
    void event_thatTheDocumentDoesNotKnow_isAFault() {
        for (String event : List.of(
                "{\"type\":\"surprise\"}",
                "{\"type\":\"heartbeat\",\"seq\":1}",
                "{\"type\":\"run.started\",\"conversationId\":\"c\",\"timestamp\":1,\"data\":{\"runId\":\"r\"}}",
                "{\"type\":\"run.started\",\"conversationId\":\"c\",\"timestamp\":1,\"seq\":1,\"data\":{\"runId\":\"r\",\"x\":1}}",
                "{\"type\":\"message.delta\",\"conversationId\":\"c\",\"timestamp\":1,\"seq\":1,\"data\":{\"delta\":\"d\"}}")) {
            assertFalse(api.faultsOfEvent(SignedClient.parse(event)).isEmpty(), event);
        }
        assertFalse(api.faultsOfRecentEvents(SignedClient.parse(
                        "{\"events\":[{\"type\":\"surprise\"}],\"latestSeq\":1,\"truncated\":false}"))
                .isEmpty());
    }

    @Test
    void frame_thatTheDocumentDoesNotKnow_isAFault() {
        assertFalse(api.faultsOfFrame(SignedClient.parse("{\"_\":\"surprise\"}"), true)
                .isEmpty());
        assertFalse(api.faultsOfFrame(SignedClient.parse("{\"_\":\"connected\",\"connectedAt\":1,\"more\":1}"), true)
                .isEmpty());
        assertFalse(api.faultsOfFrame(SignedClient.parse("{\"_\":\"connected\"}"), true)
                .isEmpty());
        assertFalse(api.faultsOfFrame(SignedClient.parse("{\"_\":\"connected\",\"connectedAt\":null}"), true)
                .isEmpty());
        assertFalse(api.faultsOfFrame(
                        SignedClient.parse(
                                "{\"_\":\"change\",\"key\":\"runs/r\",\"value\":{\"id\":\"r\",\"status\":\"done\"}}"),
                        true)
                .isEmpty());
        assertFalse(api.faultsOfResponse(SignedClient.parse("{\"_\":\"SurpriseResponse\"}"))
                .isEmpty());
    }

    @Test
    void messagesOfASession_areToldApartAndChecked() {
        for (JsonNode reference : document.at("/operations/sendSessionMessages/messages")) {
            api.resolve(reference)
                    .path("examples")
                    .forEach(example -> assertEquals(List.of(), api.faultsOfSessionMessage(example.path("payload"))));
        }
        for (String wrong : List.of(
                "{\"type\":\"surprise\"}",
                "{\"kind\":\"surprise\"}",
                "{\"type\":\"error\",\"code\":\"No!\",\"message\":\"m\"}",
                "{\"event_id\":\"e\",\"session_id\":\"s\",\"cursor\":0,\"kind\":\"run_started\","
                        + "\"payload\":{\"run_id\":\"r\"},\"created_at\":1}",
                "{\"event_id\":\"e\",\"session_id\":\"s\",\"cursor\":1,\"kind\":\"run_started\","
                        + "\"payload\":{\"run_id\":\"r\",\"more\":1},\"created_at\":1}")) {
            assertFalse(api.faultsOfSessionMessage(SignedClient.parse(wrong)).isEmpty(), wrong);
        }
        assertFalse(api.faultsOfSessionsAnswer("sessionMade", SignedClient.parse("{\"session_id\":\"s\"}"))
                .isEmpty());
    }

    /** A8: a socket without {@code tidings.v2} gets no frame beyond the first protocol's. */
    @Test
    void heartbeat_isAFaultWithoutTheSecondVersion() {
        JsonNode heartbeat = SignedClient.parse("{\"_\":\"heartbeat\",\"heads\":{}}");
        assertEquals(List.of(), api.faultsOfFrame(heartbeat, true));
        assertFalse(api.faultsOfFrame(heartbeat, false).isEmpty());
    }

    private static void each(JsonNode node, java.util.function.Consumer<JsonNode> visit) {
        visit.accept(node);
        node.forEach(child -> each(child, visit));
    }
}
