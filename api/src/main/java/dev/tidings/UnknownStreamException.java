package dev.tidings;

/**
 * Something was appended to a session or run tree that does not exist; nothing was stored.
 *
 * <p>Threads: as any exception.
 */
public final class UnknownStreamException extends TidingsException {
    private static final long serialVersionUID = 1L;

    private final transient StreamKey stream;

    /** The stream does not exist. */
    public UnknownStreamException(StreamKey stream) {
        super("no such stream: " + stream);
        this.stream = stream;
    }

    /** The stream that does not exist. */
    public StreamKey stream() {
        return stream;
    }
}
