package dev.tidings.standalone.outside;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a client of another server saw: sockets that opened, messages both ways, actions over HTTP, in the order of time.
 *
 * <p>Threads: immutable.
 */
record Transcript(String name, List<JsonNode> records) {

    static Transcript read(Path file) throws IOException {
        ObjectMapper json = new ObjectMapper();
        List<JsonNode> records = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            records.add(json.readTree(line));
        }
        return new Transcript(file.getFileName().toString().replace(".jsonl", ""), List.copyOf(records));
    }

    static boolean is(JsonNode record, String direction) {
        return record.get("dir").asText().equals(direction);
    }

    /** The frames that a socket got, with the number of their record. */
    record Numbered(int index, JsonNode frame) {}

    /** Frames from server to client by socket. */
    Map<String, List<Numbered>> frames() {
        Map<String, List<Numbered>> frames = new HashMap<>();
        for (int i = 0; i < records.size(); i++) {
            JsonNode record = records.get(i);
            if (is(record, "in")) {
                frames.computeIfAbsent(record.get("sock").asText(), socket -> new ArrayList<>())
                        .add(new Numbered(i, record.get("frame")));
            }
        }
        return frames;
    }

    /** The keys that a socket was subscribed to. */
    Set<String> keys(String socket) {
        Set<String> keys = new TreeSet<>();
        records.stream()
                .filter(record -> is(record, "in")
                        && record.get("sock").asText().equals(socket)
                        && record.at("/frame/_").asText().equals("subscribed"))
                .forEach(record -> keys.add(record.at("/frame/key").asText()));
        return keys;
    }

    /** The note beside the message that a record answers; empty for none. */
    String noteBefore(String socket, int index) {
        for (int i = index - 1; i >= 0; i--) {
            JsonNode record = records.get(i);
            if (is(record, "out") && record.get("sock").asText().equals(socket)) {
                return record.path("note").asText();
            }
        }
        return "";
    }

    /** Whether a socket saw runs that were still working. */
    boolean watchesWork(String socket) {
        return frames().getOrDefault(socket, List.of()).stream()
                .map(numbered -> numbered.frame().path("value"))
                .anyMatch(run -> run.has("depth") && !run.has("finishedAt"));
    }

    /** Whether this recording has hints of a session's status; older ones have none. */
    boolean showsStatusHints() {
        return records.stream()
                .map(record -> record.at("/frame/value"))
                .anyMatch(hint -> hint.path("reason").asText().equals("session-updated") && hint.has("activity"));
    }

    /**
     * Where each record begins: an action over HTTP is recorded when it was answered, and begins before its effects. A
     * message begins before its append, any other one right behind the record of a client before it.
     */
    List<Integer> beginnings() {
        List<Integer> beginnings = new ArrayList<>();
        int lastOfClient = -1;
        Set<Integer> taken = new TreeSet<>();
        for (int i = 0; i < records.size(); i++) {
            JsonNode record = records.get(i);
            int begins = i;
            if (is(record, "http")) {
                begins = switch (record.at("/action/_").asText()) {
                    case "MessageSession" ->
                        // Who watches no transcript is shown no message: then it was sent when it could be.
                        firstAppend(record.at("/action/content/0/text").asText(), i, taken)
                                .orElse(lastOfClient + 1);
                    case "StopSession" -> behindText(lastOfClient + 1, i);
                    default -> lastOfClient + 1;
                };
            }
            if (!is(record, "in")) {
                lastOfClient = i;
            }
            beginnings.add(begins);
        }
        return beginnings;
    }

    /** A turn is stopped when some of its text was seen; before that it might not have begun. */
    private int behindText(int from, int before) {
        for (int i = from; i < before; i++) {
            if (records.get(i).at("/frame/patch").has("textDelta")) {
                return i + 1;
            }
        }
        return from;
    }

    private OptionalInt firstAppend(String text, int before, Set<Integer> taken) {
        for (int i = 0; i < before; i++) {
            JsonNode event = records.get(i).at("/frame/event");
            if (event.at("/event/role").asText().equals("user")
                    && event.at("/event/content").asText().equals(text)
                    && taken.stream()
                            .noneMatch(other ->
                                    records.get(other).at("/frame/event/id").equals(event.path("id")))) {
                taken.add(i);
                return OptionalInt.of(i);
            }
        }
        return OptionalInt.empty();
    }
}
