package dev.tidings.blackbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.dialect.Dialects;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The AsyncAPI document, and what it says of a message that came.
 *
 * <p>Its schemas are open, as clients must be. Here they are closed: every object that lists its members has no others,
 * unless it says so itself. So a member that the document does not know of is a fault of the server or of the document.
 *
 * <p>Public because the tests of other modules read it. Threads: immutable; any.
 */
public final class AsyncApi {
    private static final AsyncApi INSTANCE = new AsyncApi(read());

    private final JsonNode document;
    private final List<FrameSchema> frames;
    private final List<FrameSchema> moreFrames;
    private final Map<String, Schema> responses;
    private final Map<String, Schema> sessionMessages;
    private final Map<String, Schema> sessionsAnswers;
    private final Map<String, Schema> events;
    private final Schema recentEvents;

    /** One message from server to client; {@code key} is missing where the message has none. */
    private record FrameSchema(String name, String type, Optional<Pattern> key, Schema schema) {
        boolean isFor(JsonNode frame) {
            return type.equals(WatchSocket.type(frame))
                    && key.map(pattern ->
                                    pattern.matcher(frame.path("key").asText()).find())
                            .orElse(true);
        }
    }

    private AsyncApi(JsonNode document) {
        this.document = document;
        this.frames = frames("sendFrames");
        this.moreFrames = frames("sendMoreFrames");
        this.responses = new LinkedHashMap<>();
        for (JsonNode response : document.at("/components/schemas/ActionResponse/oneOf")) {
            JsonNode schema = resolve(response);
            responses.put(schema.at("/properties/_/const").asText(), closed(schema));
        }
        responses.put("Error", closed(document.at("/components/schemas/ActionError")));
        this.sessionMessages = sessionMessages();
        this.sessionsAnswers = Map.of(
                "sessionMade", payload("sessionMade"),
                "sessionList", payload("sessionList"),
                "sessionTranscript", payload("sessionTranscript"),
                "httpRefusal", payload("httpRefusal"));
        this.events = events();
        this.recentEvents = payload("recentEvents");
    }

    private Schema payload(String message) {
        return closed(resolve(document.at("/components/messages/" + message + "/payload")));
    }

    /** The messages of a session's socket, by their kind, or by their type where they have no kind. */
    private Map<String, Schema> sessionMessages() {
        Map<String, Schema> found = new LinkedHashMap<>();
        for (JsonNode reference : document.at("/operations/sendSessionMessages/messages")) {
            JsonNode payload = resolve(resolve(reference).path("payload"));
            JsonNode members = payload.path("properties");
            JsonNode name = members.has("kind") ? members.get("kind") : members.path("type");
            Schema schema = closed(payload);
            if (name.has("const")) {
                found.put(name.get("const").asText(), schema);
            }
            name.path("enum").forEach(each -> found.put(each.asText(), schema));
        }
        return found;
    }

    /** What is sent to those who watch conversations, by type. */
    private Map<String, Schema> events() {
        Map<String, Schema> byType = new LinkedHashMap<>();
        for (JsonNode reference : document.at("/operations/sendConversationEvents/messages")) {
            JsonNode payload = resolve(resolve(reference).path("payload"));
            List<JsonNode> kinds = new ArrayList<>();
            payload.path("oneOf").forEach(kinds::add);
            for (JsonNode kind : kinds.isEmpty() ? List.of(payload) : kinds) {
                byType.put(kind.at("/properties/type/const").asText(), closed(kind));
            }
        }
        return byType;
    }

    /** The document that the repository holds. */
    public static AsyncApi document() {
        return INSTANCE;
    }

    /** The document as JSON, as it stands. */
    public JsonNode json() {
        return document;
    }

    /**
     * What is wrong with a frame; empty if nothing is.
     *
     * @param more whether the socket negotiated {@code tidings.v2}
     */
    public List<String> faultsOfFrame(JsonNode frame, boolean more) {
        List<FrameSchema> known = new ArrayList<>(frames);
        if (more) {
            known.addAll(moreFrames);
        }
        List<FrameSchema> fits =
                known.stream().filter(schema -> schema.isFor(frame)).toList();
        if (fits.size() != 1) {
            return List.of((fits.isEmpty() ? "an unknown frame: " : "a frame of several kinds: ") + frame);
        }
        return faults(fits.get(0).schema(), frame, fits.get(0).name());
    }

    /** The types of what is sent to those who watch conversations. */
    public Set<String> eventTypes() {
        return Set.copyOf(events.keySet());
    }

    /** What is wrong with what came to somebody who watches conversations; empty if nothing is. */
    public List<String> faultsOfEvent(JsonNode event) {
        String type = event.path("type").asText();
        Schema schema = events.get(type);
        return schema == null ? List.of("an unknown event: " + event) : faults(schema, event, type);
    }

    /** What is wrong with an answer of {@code /events/recent}, each of its events included; empty if nothing is. */
    public List<String> faultsOfRecentEvents(JsonNode answer) {
        List<String> wrong = new ArrayList<>(faults(recentEvents, answer, "recentEvents"));
        answer.path("events").forEach(event -> wrong.addAll(faultsOfEvent(event)));
        return wrong;
    }

    /** What is wrong with an answer of the signed HTTP API; empty if nothing is. */
    public List<String> faultsOfResponse(JsonNode response) {
        Schema schema = responses.get(WatchSocket.type(response));
        return schema == null
                ? List.of("an unknown response: " + response)
                : faults(schema, response, WatchSocket.type(response));
    }

    /** What is wrong with a message of a session's socket; empty if nothing is. */
    public List<String> faultsOfSessionMessage(JsonNode message) {
        String name = message.path(message.has("kind") ? "kind" : "type").asText();
        Schema schema = sessionMessages.get(name);
        return schema == null ? List.of("an unknown message: " + message) : faults(schema, message, name);
    }

    /**
     * What is wrong with an answer of {@code /api/sessions} and what is below it; empty if nothing is.
     *
     * @param name of the message in the document
     */
    public List<String> faultsOfSessionsAnswer(String name, JsonNode answer) {
        Schema schema = sessionsAnswers.get(name);
        return schema == null ? List.of("an unknown answer: " + name) : faults(schema, answer, name);
    }

    /** What is wrong with a value by the schema that stands at a place of the document. */
    List<String> faultsAt(String pointer, JsonNode value) {
        return faults(closed(document.at(pointer)), value, pointer);
    }

    private static List<String> faults(Schema schema, JsonNode value, String what) {
        return schema.validate(value).stream()
                .map(error -> what + ": " + error.getInstanceLocation() + " " + error.getMessage() + " in " + value)
                .toList();
    }

    private List<FrameSchema> frames(String operation) {
        List<FrameSchema> found = new ArrayList<>();
        for (JsonNode reference : document.path("operations").path(operation).path("messages")) {
            JsonNode message = resolve(reference);
            JsonNode members = message.at("/payload/properties");
            JsonNode key = resolve(members.path("key")).path("pattern");
            found.add(new FrameSchema(
                    reference.path("$ref").asText().replaceFirst(".*/", ""),
                    members.at("/_/const").asText(),
                    key.isMissingNode() ? Optional.empty() : Optional.of(Pattern.compile(key.asText())),
                    closed(message.path("payload"))));
        }
        return List.copyOf(found);
    }

    /** Follows references until there is none. */
    JsonNode resolve(JsonNode node) {
        JsonNode at = node;
        while (at.has("$ref")) {
            at = document.at(at.get("$ref").asText().substring(1));
        }
        return at;
    }

    private Schema closed(JsonNode schema) {
        ObjectNode root = ((ObjectNode) document).objectNode();
        root.put("$schema", "http://json-schema.org/draft-07/schema#");
        root.putObject("components").set("schemas", close(document.at("/components/schemas")));
        root.putArray("allOf").add(close(schema));
        return SchemaRegistry.withDialect(Dialects.getDraft7()).getSchema(root);
    }

    private static JsonNode close(JsonNode schema) {
        JsonNode copy = schema.deepCopy();
        closeWithin(copy);
        return copy;
    }

    private static void closeWithin(JsonNode node) {
        if (node instanceof ObjectNode object) {
            if (object.path("type").asText().equals("object")
                    && object.has("properties")
                    && !object.has("additionalProperties")) {
                object.put("additionalProperties", false);
            }
        }
        node.forEach(AsyncApi::closeWithin);
    }

    private static JsonNode read() {
        try (InputStream yaml = AsyncApi.class.getResourceAsStream("asyncapi.yaml")) {
            return new YAMLMapper().readTree(Objects.requireNonNull(yaml));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
