package dev.tidings.bench;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What a floor or a peer does with what it is told: {@code begin} starts a row of events, {@code count at bytes} makes
 * events of it.
 *
 * <p>Threads: confined to the one that reads the control socket.
 */
final class PeerScript {
    /** The answer to everything that comes on a watching socket. */
    static final String SUBSCRIBED = "{\"_\":\"subscribed\",\"key\":\"sessions/peer\"}";

    // Confined: the reader of the control socket.
    private long seq;

    /** The frames that are to be sent to everybody now. */
    List<byte[]> frames(String told) {
        if (told.equals("begin")) {
            seq = 0;
            return List.of();
        }
        String[] words = told.split(" ", -1);
        List<byte[]> frames = new ArrayList<>();
        for (int i = 0; i < Integer.parseInt(words[0]); i++) {
            frames.add(Event.frame(++seq, Long.parseLong(words[1]), Integer.parseInt(words[2])));
        }
        return frames;
    }

    /** The same as texts. */
    List<String> texts(String told) {
        return frames(told).stream()
                .map(frame -> new String(frame, StandardCharsets.US_ASCII))
                .toList();
    }
}
