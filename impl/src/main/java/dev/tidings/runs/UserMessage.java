package dev.tidings.runs;

import dev.tidings.Payload;

/**
 * What a user says in a session.
 *
 * <p>Threads: immutable.
 *
 * @param sessionId the session
 * @param prompt the text that the runner gets
 * @param event the event as it is stored: a JSON object {type: message, role: user, content, …} whose {@code content}
 *     is the prompt: a turn that waited over a restart gets its prompt from there
 * @param title what the run is called
 */
public record UserMessage(String sessionId, String prompt, Payload event, String title) {}
