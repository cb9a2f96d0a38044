package dev.tidings.spi;

import dev.tidings.Payload;
import dev.tidings.SessionInfo;

/**
 * The tools that a person may use in a session by hand, without a run.
 *
 * <p>Tidings stores the call and its result in the session; an implementation only does the work and stores nothing in
 * the log.
 *
 * <p>Threads: any; a call may block and is made outside transactions and locks of Tidings. Errors: {@link RunFailure} is
 * the tool's own error, whose public text people read as the result; whatever else is thrown is told as an internal
 * error, without its text. Source: protocols A9, InvokeSessionTool.
 */
@FunctionalInterface
public interface SessionTools {

    /**
     * Does what a person asked of a tool.
     *
     * @param session the session, as it is now
     * @param accountId who asks; allowed to write to the session
     * @param verb {@code read}, {@code write} or {@code call}
     * @param input any JSON value, as it was sent
     * @return the output: any JSON value
     */
    Payload invoke(SessionInfo session, String accountId, String verb, Payload input);
}
