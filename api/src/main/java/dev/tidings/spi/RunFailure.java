package dev.tidings.spi;

import dev.tidings.TidingsException;

/**
 * A failure that a runner wants people to read.
 *
 * <p>Threads: as any exception.
 */
public final class RunFailure extends TidingsException {
    private static final long serialVersionUID = 1L;

    private final String code;
    private final String publicText;

    /**
     * A failure.
     *
     * @param code a stable word such as {@code model_unavailable}
     * @param publicText what people read; goes on the wire and into the transcript as it is
     */
    public RunFailure(String code, String publicText) {
        super(code + ": " + publicText);
        this.code = code;
        this.publicText = publicText;
    }

    /** The stable word. */
    public String code() {
        return code;
    }

    /** What people read. */
    public String publicText() {
        return publicText;
    }
}
