package dev.tidings.event;

import org.jspecify.annotations.Nullable;

/**
 * What an account may do with an agent may have changed: invited, accepted, removed, made or unmade a public reader.
 *
 * <p>Fired in the transaction that changed it. The thread that commits it takes access away before it returns (law 6).
 *
 * <p>Threads: immutable.
 *
 * @param agentId the agent
 * @param accountId the account; null if it may concern any account (public read, a deleted agent)
 */
public record GrantChanged(String agentId, @Nullable String accountId) {}
