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
    private int pieces;
    private int bytes;

    /** @param from how much of the first piece the peer has already, in UTF-16 units */
    Merge(Broadcast.Signal signal, Broadcast.Text text, int from) {
        this.first = new Broadcast.Text(text.offset() + from, text.added().substring(from), text.pieces());
        originals.add(signal.frame());
        added.append(first.added());
        pieces = 1;
        bytes = signal.frame().size();
    }

    /** Pieces that were joined before and are gone by now. */
    Merge(Broadcast.Text joined, int pieces, int bytes) {
        this.first = joined;
        this.pieces = pieces;
        this.bytes = bytes;
        added.append(joined.added());
    }

    /** Whether a piece goes on where these end. */
    boolean goesOn(Broadcast.Text text) {
        return text.offset() == first.offset() + added.length();
    }

    void add(Broadcast.Signal signal, Broadcast.Text text) {
        originals.add(signal.frame());
        added.append(text.added());
        pieces++;
        bytes += Math.min(signal.frame().size(), escapedBytes(text.added()));
    }

    int pieces() {
        return pieces;
    }

    /** At least the size of the frame that comes of it, and at most that of those it replaces. */
    int bytes() {
        return bytes;
    }

    /** The joined frame. Calls the protocol. */
    Frame made() {
        assert EngineLock.noneHeld() : "a protocol is called under a lock";
        return first.pieces().frame(first.offset(), added.toString());
    }

    /** What it replaces; empty if that is gone. */
    List<Frame> originals() {
        return originals;
    }

    /** The most that a JSON encoder makes of a text. */
    static int escapedBytes(String text) {
        int bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean plain = c >= 0x20 && c < 0x7f && c != '"' && c != '\\' && c != '/' && c != '<' && c != '>';
            bytes += plain ? 1 : 6;
        }
        return bytes;
    }
}
