package dev.tidings.standalone;

/** The server cannot start; the message tells the person who started it why, and stands alone without the cause. */
final class StartFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StartFailure(String message) {
        super(message);
    }

    StartFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
