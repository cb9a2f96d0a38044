package dev.tidings.delivery;

import java.util.ArrayList;
import java.util.List;

/**
 * Adjacent pieces of one partial's text that become one frame, for a socket that lags.
 *
 * <p>Collected under locks; the frame is made after they were released, since making it is the protocol's work (law 8).
 *
 * <p>Threads: confined to the drain that collects it.
 */
final class Merge {
    private final Broadcast.Text first;
    private final List<Frame> originals = new ArrayList<>();
    private final StringBuilder added = new StringBuilder();
    private int bytes;

    /** @param from how much of the first piece the peer has already, in UTF-16 units */
    Merge(Broadcast.Signal signal, Broadcast.Text text, int from) {
        this.first = new Broadcast.Text(text.offset() + from, text.added().substring(from), text.pieces());
        originals.add(signal.frame());
        added.append(first.added());
        bytes = signal.frame().size();
    }

    /** Whether a piece goes on where these end. */
    boolean goesOn(Broadcast.Text text) {
        return text.offset() == first.offset() + added.length();
    }

    void add(Broadcast.Signal signal, Broadcast.Text text) {
        originals.add(signal.frame());
        added.append(text.added());
        bytes += Math.min(signal.frame().size(), escapedBytes(text.added()));
    }

    int pieces() {
        return originals.size();
    }

    /** At least the size of the frame that comes of it, and at most that of those it replaces. */
    int bytes() {
        return bytes;
    }

    /** The first piece's own frame, which stands where the joined one will be. */
    Frame placeholder() {
        return originals.get(0);
    }

    /** The joined frame. Calls the protocol. */
    Frame made() {
        assert EngineLock.noneHeld() : "a protocol is called under a lock";
        return first.pieces().frame(first.offset(), added.toString());
    }

    /** What it replaces. */
    List<Frame> originals() {
        return originals;
    }

    /** The most that a JSON encoder makes of a text. */
    private static int escapedBytes(String text) {
        int bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean plain = c >= 0x20 && c < 0x7f && c != '"' && c != '\\' && c != '/' && c != '<' && c != '>';
            bytes += plain ? 1 : 6;
        }
        return bytes;
    }
}
