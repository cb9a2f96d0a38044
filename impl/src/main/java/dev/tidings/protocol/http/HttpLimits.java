package dev.tidings.protocol.http;

import java.time.Duration;

/**
 * What all requests over HTTP may hold, and how long their peers may take.
 *
 * <p>Threads: immutable.
 *
 * @param maxBodyBytes {@code tidings.agents.max-http-pending-bytes}: bodies that are coming in or not yet handled, in all
 * @param maxAnswerBytes {@code tidings.agents.max-http-answer-bytes}: answers that are on their way, in all
 * @param maxReads {@code tidings.http.max-reads}: requests, and pages of transcripts, that ask the database at once; others
 *     wait, without a thread
 * @param maxTranscripts {@code tidings.http.max-transcripts}: answers at once that are told piece by piece
 * @param bodyTimeout {@code tidings.http.body-timeout}: how long a body may take to come
 * @param sendTimeout {@code tidings.outbox.send-timeout}: how long a peer may take nothing of an answer
 */
public record HttpLimits(
        long maxBodyBytes,
        long maxAnswerBytes,
        int maxReads,
        int maxTranscripts,
        Duration bodyTimeout,
        Duration sendTimeout) {}
