package dev.tidings;

/**
 * The root of the exceptions that Tidings throws at those who call it. What went wrong is told by the subclass, what
 * matters of it by its fields; the message is for developers and never reaches a peer.
 *
 * <p>Threads: as any exception.
 */
public abstract class TidingsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** An exception with a message for developers. */
    protected TidingsException(String message) {
        super(message);
    }

    /** An exception with a cause. */
    protected TidingsException(String message, Throwable cause) {
        super(message, cause);
    }
}
