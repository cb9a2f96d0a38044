package dev.tidings;

import org.jspecify.annotations.Nullable;

/**
 * The rollup of an agent that lists and unread indicators show; computed from the log and the runs, never stored.
 *
 * <p>Threads: immutable. Source: protocols A7.
 *
 * @param at when its last event of any kind came, epoch milliseconds
 * @param kind who the last event came from: {@code user}, {@code agent} or {@code tool}
 * @param messageAt when its last message came
 * @param messageFrom {@code user} or {@code agent}
 * @param sessionId the session of the last message
 * @param busy whether any run of the agent is queued, claimed, running or waiting
 */
public record AgentActivity(
        long at,
        String kind,
        @Nullable Long messageAt,
        @Nullable String messageFrom,
        @Nullable String sessionId,
        boolean busy) {}
