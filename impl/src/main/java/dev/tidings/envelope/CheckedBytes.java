package dev.tidings.envelope;

import java.util.Arrays;

/** Bytes that are one item of canonical DAG-CBOR. Only {@link CanonicalCheck} makes them, and nobody writes to them. */
final class CheckedBytes {
    private final byte[] content;
    private final int signatureOffset;

    /** @param signatureOffset where the 64 bytes of the root map's {@code sig} begin, or -1 */
    CheckedBytes(byte[] content, int signatureOffset) {
        this.content = content;
        this.signatureOffset = signatureOffset;
    }

    /** The bytes themselves, to be read only. */
    byte[] content() {
        return content;
    }

    int signatureOffset() {
        return signatureOffset;
    }

    /** The bytes that were signed: a copy of these, with the signature zeroed. */
    byte[] signedBytes() {
        byte[] signed = content.clone();
        Arrays.fill(signed, signatureOffset, signatureOffset + Signature.SIZE, (byte) 0);
        return signed;
    }
}
