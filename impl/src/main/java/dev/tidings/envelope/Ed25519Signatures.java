package dev.tidings.envelope;

import org.bouncycastle.math.ec.rfc8032.Ed25519;

/**
 * Strict Ed25519 verification with BouncyCastle's lightweight API: S below the group order, no key of small order, no
 * second encoding of a point.
 *
 * <p>The key's order is checked here and not left to the library, whose versions differ in it. R of small order is allowed:
 * only the signer can make one that fits.
 */
final class Ed25519Signatures {
    private Ed25519Signatures() {}

    static boolean valid(Signature signature, Principal signer, byte[] signedBytes) {
        return valid(signature.bytes().shared(), signer.shared(), Principal.keyOffset(), signedBytes);
    }

    static boolean valid(byte[] signature, byte[] key, int keyOffset, byte[] signedBytes) {
        return Ed25519.validatePublicKeyPartial(key, keyOffset)
                && Ed25519.verify(signature, 0, key, keyOffset, signedBytes, 0, signedBytes.length);
    }
}
