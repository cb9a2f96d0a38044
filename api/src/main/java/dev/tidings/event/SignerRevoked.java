package dev.tidings.event;

/**
 * A signer may no longer act for an account; its open subscriptions fall silent at once (law 6).
 *
 * <p>Threads: immutable.
 *
 * @param accountId the account
 * @param signerId the signer
 */
public record SignerRevoked(String accountId, String signerId) {}
