package dev.tidings;

/**
 * A run tried to write after it had ended, or after another attempt of it took over; nothing was stored (law 10).
 *
 * <p>Threads: as any exception.
 */
public final class FencedException extends TidingsException {
    private static final long serialVersionUID = 1L;

    private final String runId;

    /** The write of this run was refused. */
    public FencedException(String runId) {
        super("the run has ended or was taken over: " + runId);
        this.runId = runId;
    }

    /** The run whose write was refused. */
    public String runId() {
        return runId;
    }
}
