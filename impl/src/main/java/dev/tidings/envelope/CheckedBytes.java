package dev.tidings.envelope;

import java.util.Arrays;

/**
 * Bytes that are one item of canonical DAG-CBOR. Only {@link CanonicalCheck} makes them, and nobody writes to them.
 *
 * @param content the bytes
 * @param signatureOffset where the 64 bytes of the root map's {@code sig} begin, or -1
 */
record CheckedBytes(byte[] content, int signatureOffset) {
    /** The bytes that were signed: these, with the signature zeroed. */
    byte[] signedBytes() {
        byte[] signed = content.clone();
        Arrays.fill(signed, signatureOffset, signatureOffset + Signature.SIZE, (byte) 0);
        return signed;
    }
}
