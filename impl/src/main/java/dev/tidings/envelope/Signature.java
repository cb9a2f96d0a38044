package dev.tidings.envelope;

/**
 * An Ed25519 signature, compared by content: the same signature again is the same envelope again, because Ed25519 is
 * checked strictly and nobody but the signer can make a second signature of the same bytes.
 *
 * <p>Shape: 64 bytes, R and S.
 *
 * <p>Threads: immutable.
 */
public record Signature(Bytes bytes) {
    /** The length of a signature. */
    public static final int SIZE = 64;

    /** @throws IllegalArgumentException if there are not 64 bytes */
    public Signature {
        if (bytes.size() != SIZE) {
            throw new IllegalArgumentException("a signature has 64 bytes");
        }
    }
}
