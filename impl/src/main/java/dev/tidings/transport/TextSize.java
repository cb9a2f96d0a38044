package dev.tidings.transport;

/** How large the text of a message is on the wire. Threads: pure. */
public final class TextSize {
    private TextSize() {}

    /** Its bytes in UTF-8; a half of a surrogate pair counts as two of the four, since a piece may end between them. */
    public static int utf8Bytes(String text) {
        int bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
        }
        return bytes;
    }
}
