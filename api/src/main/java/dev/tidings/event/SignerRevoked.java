package dev.tidings.event;

/**
 * A signer may no longer act for an account; subscriptions made through it fall silent at once (law 6).
 *
 * <p>Fired in the transaction that revoked it. The subscriptions are suspended, not gone: authorised again, they go on from
 * their cursors, at the latest after {@code tidings.access.recheck}.
 *
 * <p>Threads: immutable.
 *
 * @param accountId the account
 * @param signerId the signer
 */
public record SignerRevoked(String accountId, String signerId) {}
