package dev.tidings.protocol.conversations;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.tidings.delivery.RecordingSink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A peer that reads events out of what it is sent. Threads: one. */
final class Watching extends RecordingSink {
    private static final JsonFactory JSON = new JsonFactory();

    /** The frames that are events with a number. */
    List<String> events() {
        return frames.stream().filter(frame -> seq(frame).isPresent()).toList();
    }

    List<Long> seqs() {
        return events().stream().map(frame -> seq(frame).orElseThrow()).toList();
    }

    List<String> types() {
        return frames.stream()
                .map(frame -> Objects.requireNonNull(member(frame, "type")))
                .toList();
    }

    long lastSeq() {
        List<Long> seqs = seqs();
        return seqs.isEmpty() ? 0 : seqs.get(seqs.size() - 1);
    }

    static OptionalLong seq(String frame) {
        String text = member(frame, "seq");
        return text == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(text));
    }

    /** The text of a member of the object, not looking into inner ones. */
    static @Nullable String member(String json, String name) {
        try (JsonParser parser = JSON.createParser(json)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                boolean found = parser.currentName().equals(name);
                parser.nextToken();
                if (found) {
                    return parser.getText();
                }
                parser.skipChildren();
            }
            return null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
