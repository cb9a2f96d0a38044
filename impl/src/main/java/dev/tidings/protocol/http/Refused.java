package dev.tidings.protocol.http;

/**
 * Says why a request is not answered as it asked.
 *
 * <p>Threads: immutable.
 */
public final class Refused extends Exception {
    private static final long serialVersionUID = 1L;

    private final HttpRefusal refusal;

    /** For that reason. */
    public Refused(HttpRefusal refusal) {
        super(refusal.code());
        this.refusal = refusal;
    }

    /** The reason. */
    public HttpRefusal refusal() {
        return refusal;
    }
}
