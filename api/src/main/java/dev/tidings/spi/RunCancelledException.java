package dev.tidings.spi;

import dev.tidings.TidingsException;

/**
 * The run was cancelled, or its right to write is gone. A runner lets it pass through.
 *
 * <p>Threads: as any exception.
 */
public final class RunCancelledException extends TidingsException {
    private static final long serialVersionUID = 1L;

    /** The run was cancelled. */
    public RunCancelledException() {
        super("the run was cancelled");
    }
}
