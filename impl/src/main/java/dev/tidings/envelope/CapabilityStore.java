package dev.tidings.envelope;

/**
 * Where an authorisation is stored that a capability proved.
 *
 * <p>Threads: called by many at once; may write to a database. Errors: any exception counts as not stored, and then the
 * signer is not authorised.
 */
@FunctionalInterface
public interface CapabilityStore {

    /** Stores it; false if the account revoked the delegate after it issued the capability. */
    boolean store(Capability capability);
}
