package dev.tidings.event;

/**
 * An API key is no longer valid; its open sockets fall silent at once and are closed (law 6).
 *
 * <p>Fired in the transaction that revoked it.
 *
 * <p>Threads: immutable.
 *
 * @param keyId the key
 */
public record ApiKeyRevoked(String keyId) {}
