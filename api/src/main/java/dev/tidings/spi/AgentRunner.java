package dev.tidings.spi;

/**
 * What answers: one turn of an agent, in blocking style.
 *
 * <p>Threads: called on a managed thread of its own for each run, with a CDI request context active and no transaction.
 * The thread is interrupted when the run is cancelled. Errors: an exception ends the run as failed; its text goes
 * nowhere, unless it is a {@link RunFailure}, whose public text is shown. Source: law 10.
 */
@FunctionalInterface
public interface AgentRunner {

    /** Answers one turn; returning ends the run as succeeded. */
    void run(RunContext run) throws Exception;
}
