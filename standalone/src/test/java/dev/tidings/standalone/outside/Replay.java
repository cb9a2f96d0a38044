package dev.tidings.standalone.outside;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidings.blackbox.Answer;
import dev.tidings.blackbox.SignedClient;
import dev.tidings.blackbox.WatchSocket;
import dev.tidings.envelope.EnvelopeFixtures;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Does with a server of ours what a transcript's clients did with theirs, in the same order, and waits before each step until
 * ours has shown as much as theirs had.
 *
 * <p>Threads: one test's.
 */
final class Replay {
    /** Actions of the other server that Tidings does not have: its models, files and triggers. */
    static final Set<String> FOREIGN = Set.of("SetModelProvider", "WriteAgentMemoryFile", "CreateAgentTrigger");

    /** Actions that change an agent, and the hint that each ends with. */
    private static final Map<String, String> FENCED =
            Map.of("SetAgentPublicRead", "agent-collaborators-changed", "UpdateAgent", "agent-updated");

    private final Transcript transcript;
    private final Comparison comparison;
    private final URI base;
    private final Names names;
    private final Map<String, WatchSocket> sockets = new LinkedHashMap<>();
    private final Map<Integer, CompletableFuture<Answer>> underWay = new LinkedHashMap<>();
    private final List<String> answers = new ArrayList<>();
    private final Map<Integer, WatchSocket> fences = new LinkedHashMap<>();
    private final Set<String> behind = new HashSet<>();

    Replay(Transcript transcript, Comparison comparison, URI base) {
        this.transcript = transcript;
        this.comparison = comparison;
        this.base = base;
        this.names = new Names(base);
    }

    /** What our sockets got, by their names in the transcript. */
    Map<String, List<JsonNode>> run() throws Exception {
        nameTheSigners();
        List<Integer> beginnings = transcript.beginnings();
        for (int i = 0; i < transcript.records().size(); i++) {
            for (int begun = i; begun < beginnings.size(); begun++) {
                if (beginnings.get(begun) == i
                        && Transcript.is(transcript.records().get(begun), "http")) {
                    awaitAsMuchAsTheirs(i);
                    begin(begun);
                }
            }
            step(i);
        }
        awaitAsMuchAsTheirs(transcript.records().size());
        Map<String, List<JsonNode>> got = new LinkedHashMap<>();
        sockets.forEach((name, socket) -> got.put(name, whole(socket)));
        return got;
    }

    /** Differences between the answers over HTTP. */
    List<String> answers() {
        return answers;
    }

    private void nameTheSigners() {
        transcript.records().stream()
                .filter(record -> record.has("account"))
                .forEach(record -> names.signer(record.get("account").asText()));
    }

    private void step(int index) throws Exception {
        JsonNode record = transcript.records().get(index);
        switch (record.get("dir").asText()) {
            case "evt" -> {
                awaitAsMuchAsTheirs(index);
                sockets.put(
                        record.get("sock").asText(),
                        SignedClient.newAccount(base).open());
            }
            case "out" -> {
                awaitAsMuchAsTheirs(index);
                send(record);
            }
            case "http" -> finish(index);
            default -> {}
        }
    }

    private void send(JsonNode record) {
        WatchSocket socket =
                java.util.Objects.requireNonNull(sockets.get(record.get("sock").asText()));
        if (Rebuilt.isCut(record)) {
            byte[] again = rebuilt().message(record.get("note").asText());
            if (record.has("text")) {
                socket.sendText(EnvelopeFixtures.asText(again));
            } else {
                socket.sendBinary(again);
            }
            return;
        }
        if (record.has("text")) {
            socket.sendText(record.get("text").asText());
            return;
        }
        nameTheRun(record);
        byte[] theirs = HexFormat.of().parseHex(record.get("hex").asText());
        socket.sendBinary(Resigned.message(theirs, names, later(record)));
    }

    /** Who its cut messages are from: the first account of its actions, or the one that let that one act for it. */
    private Rebuilt rebuilt() {
        JsonNode first = transcript.records().stream()
                .filter(record -> record.has("account"))
                .findFirst()
                .orElseThrow();
        String account = first.get("account").asText();
        return transcript.records().stream()
                .filter(record -> record.at("/action/capability/data").isArray())
                .findFirst()
                .map(record ->
                        new Rebuilt(names, Resigned.issuer(buffer(record.at("/action/capability/data"))), account))
                .orElseGet(() -> new Rebuilt(names, account, "another account"));
    }

    private long later(JsonNode record) {
        String socket = record.get("sock").asText();
        JsonNode connected = transcript.records().stream()
                .filter(other -> Transcript.is(other, "in")
                        && other.get("sock").asText().equals(socket)
                        && other.at("/frame/_").asText().equals("connected"))
                .findFirst()
                .orElseThrow();
        double sentAt = connected.at("/frame/connectedAt").asLong()
                + record.get("t").asDouble()
                - connected.get("t").asDouble();
        return System.currentTimeMillis() - (long) sentAt;
    }

    /** Their run's id is only known from frames; ours stands at the same depth of the one tree. */
    private void nameTheRun(JsonNode record) {
        String key =
                record.at("/action/key").asText(record.at("/action/rootRunId").asText());
        String theirs = key.replaceFirst("^runs/", "");
        if (names.knows(theirs)) {
            return;
        }
        transcript.records().stream()
                .map(other -> other.at("/frame/value"))
                .filter(value -> value.path("id").asText().equals(theirs) && value.has("depth"))
                .findFirst()
                .ifPresent(run -> {
                    int depth = run.get("depth").asInt();
                    JsonNode ours = sockets.values()
                            .iterator()
                            .next()
                            .await(frame -> frame.at("/value/rootRunId").isTextual()
                                    && frame.at("/value/depth").asInt() == depth);
                    names.is(theirs, ours.at("/value/id").asText());
                });
    }

    private void begin(int index) {
        JsonNode record = transcript.records().get(index);
        String name = record.at("/action/_").asText();
        if (!FOREIGN.contains(name)) {
            nameTheRun(record);
            if (FENCED.containsKey(name)) {
                fences.put(index, fence(record));
            }
            underWay.put(index, names.client(record.get("account").asText()).sendAsync(name, members((ObjectNode)
                    record.get("action"))));
        }
    }

    /** A socket of the owner that hears of a change of an agent. */
    private WatchSocket fence(JsonNode record) {
        WatchSocket fence = names.client(record.get("account").asText()).open();
        fence.subscribe(
                "agents/" + names.id("agents", record.at("/action/agentId").asText()));
        return fence;
    }

    private Map<String, Object> members(ObjectNode theirs) {
        ObjectNode action = theirs.deepCopy();
        action.remove(List.of("_", "ts"));
        Map<String, Object> members = new LinkedHashMap<>();
        action.fields()
                .forEachRemaining(field -> members.put(field.getKey(), member(field.getKey(), field.getValue())));
        return members;
    }

    private Object member(String name, JsonNode value) {
        return switch (name) {
            case "agentId" -> names.id("agents", value.asText());
            case "sessionId" -> names.id("sessions", value.asText());
            case "capability" -> Resigned.capability(buffer(value.get("data")), names);
            default -> {
                try {
                    yield new ObjectMapper().readTree(names.text(value.toString()));
                } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
                    throw new AssertionError(e);
                }
            }
        };
    }

    private static byte[] buffer(JsonNode numbers) {
        byte[] bytes = new byte[numbers.size()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) numbers.get(i).asInt();
        }
        return bytes;
    }

    private void finish(int index) throws Exception {
        CompletableFuture<Answer> request = underWay.remove(index);
        if (request == null) {
            return;
        }
        JsonNode record = transcript.records().get(index);
        Answer answer = request.get(60, TimeUnit.SECONDS);
        JsonNode body = answer.body();
        if (body.has("agentId") && body.path("_").asText().equals("CreateAgentResponse")) {
            names.made("agents", body.get("agentId").asText());
        }
        if (body.path("_").asText().equals("CreateSessionResponse")) {
            names.made("sessions", body.get("sessionId").asText());
        }
        String action = record.at("/action/_").asText();
        String theirs = record.has("error")
                ? record.get("error").asText()
                : record.path("response").asText();
        String ours = answer.status() == 200
                ? body.path("_").asText()
                : action + " -> " + answer.status() + " " + body.path("message").asText();
        comparison.answer(theirs, ours).ifPresent(answers::add);
        WatchSocket fence = fences.remove(index);
        if (fence != null) {
            // Who subscribes from now on is behind the change, as theirs were; else it might still hear of it.
            fence.await(frame -> frame.at("/value/reason").asText().equals(FENCED.get(action)));
            fence.await(frame -> frame.at("/value/definition").isObject());
            fence.close();
        }
    }

    private void awaitAsMuchAsTheirs(int before) {
        sockets.forEach((name, socket) -> {
            if (behind.contains(name)) {
                return;
            }
            try {
                socket.await(frame -> comparison.showsAsMuch(name, before, socket.frames()));
            } catch (AssertionError tooLong) {
                // What is missing is said at the end; it is not waited for again.
                behind.add(name);
            }
        });
    }

    /** Everything that the socket got, up to an answer of which we know that it is the last. */
    private static List<JsonNode> whole(WatchSocket socket) {
        int before = socket.size();
        socket.sendText("that was all");
        JsonNode last =
                socket.awaitFrom(before, frame -> frame.path("code").asText().equals("not_byte_values"));
        List<JsonNode> frames = List.copyOf(socket.frames());
        // A hint may have come behind it.
        return new ArrayList<>(frames.subList(0, frames.lastIndexOf(last)));
    }
}
