package dev.tidings.protocol.conversations;

import dev.tidings.StoredEntry;
import dev.tidings.delivery.Channel;
import dev.tidings.delivery.Frame;
import dev.tidings.delivery.Translator;
import java.util.List;

/**
 * An event as it is put on the wire: as it is on a socket, with its number in front in a stream of server-sent events.
 *
 * <p>Threads: pure; any number at once. Source: protocols B.
 */
enum ConversationsTranslator implements Translator {
    /** A text message. */
    SOCKET {
        @Override
        Frame frame(String json, long seq) {
            return Frame.ofText(json);
        }
    },
    /** A server-sent event; one with a number is what a client names when it comes back. */
    EVENT_STREAM {
        @Override
        Frame frame(String json, long seq) {
            String line = json.replace('\n', ' ').replace('\r', ' ');
            return Frame.ofText((seq > 0 ? "id: " + seq + "\n" : "") + "data: " + line + "\n\n");
        }
    };

    private static final String HEARTBEAT = "{\"type\":\"heartbeat\"}";

    // One object, shared by all that it is sent to.
    private final Frame heartbeat = frame(HEARTBEAT, 0);

    /** The frame of an event. In JSON a line break is never more than a space. */
    abstract Frame frame(String json, long seq);

    @Override
    public List<Frame> frames(StoredEntry entry) {
        return FeedTape.shows(entry) ? List.of(frame(entry.payload().text(), entry.seq())) : List.of();
    }

    Frame heartbeat() {
        return heartbeat;
    }

    Channel channel(View view) {
        return new Channel(this, view.key());
    }
}
