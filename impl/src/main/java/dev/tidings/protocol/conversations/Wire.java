package dev.tidings.protocol.conversations;

import dev.tidings.delivery.Frame;
import java.util.function.BooleanSupplier;

/**
 * How an event is put on the wire: as it is on a socket, with its number in front in a stream of server-sent events.
 *
 * <p>Threads: pure; any number at once. Source: protocols B.
 */
enum Wire {
    /** A text message. */
    SOCKET {
        @Override
        String text(String json, long seq) {
            return json;
        }
    },
    /** A server-sent event; one with a number is what a client names when it comes back. */
    EVENT_STREAM {
        @Override
        String text(String json, long seq) {
            String line = json.replace('\n', ' ').replace('\r', ' ');
            return (seq > 0 ? "id: " + seq + "\n" : "") + "data: " + line + "\n\n";
        }
    };

    // One object, shared by all that it is sent to.
    private final Frame heartbeat = frame("{\"type\":\"heartbeat\"}", 0);

    /** The message that says it. In JSON a line break is never more than a space. */
    abstract String text(String json, long seq);

    /** A frame that nothing takes back. */
    Frame frame(String json, long seq) {
        return Frame.ofText(text(json, seq));
    }

    /** The frame of an event, until what that tells of is deleted. */
    Frame frame(String json, long seq, BooleanSupplier withdrawn) {
        return Frame.ofText(text(json, seq), withdrawn);
    }

    Frame heartbeat() {
        return heartbeat;
    }
}
