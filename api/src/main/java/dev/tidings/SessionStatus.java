package dev.tidings;

/**
 * What a session is doing; the word on the wire is {@link #code()}.
 *
 * <p>Threads: immutable. Source: protocols A7.
 */
public enum SessionStatus {
    /** No turn is running. */
    IDLE,
    /** A turn is running. */
    STREAMING,
    /** The session was stopped for good. */
    STOPPED,
    /** The last turn failed. */
    ERROR;

    /** The word on the wire and in storage. */
    public String code() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }

    /** The status of that word. */
    public static SessionStatus ofCode(String code) {
        return valueOf(code.toUpperCase(java.util.Locale.ROOT));
    }
}
