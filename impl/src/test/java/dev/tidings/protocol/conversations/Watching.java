package dev.tidings.protocol.conversations;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.tidings.delivery.Disconnect;
import dev.tidings.delivery.Frame;
import dev.tidings.delivery.Sink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A peer that keeps what it is sent. Threads: one. */
final class Watching implements Sink {
    private static final JsonFactory JSON = new JsonFactory();

    final List<String> frames = new ArrayList<>();

    @Nullable
    Disconnect closed;

    @Override
    public void send(List<Frame> batch, Completion completion) {
        batch.forEach(frame -> frames.add(frame.text()));
        completion.succeeded();
    }

    @Override
    public void ping(Completion completion) {
        completion.succeeded();
    }

    @Override
    public void close(Disconnect reason) {
        closed = reason;
    }

    @Override
    public void abort(Disconnect reason) {
        closed = reason;
    }

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
