package dev.tidings.envelope;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.spec.EdECPrivateKeySpec;
import java.security.spec.NamedParameterSpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;

/** Ed25519 of the JDK's own provider: the second opinion. */
final class JdkEd25519 {
    private static final String ALGORITHM = "Ed25519";
    private static final byte[] X509_PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

    private JdkEd25519() {}

    static byte[] sign(byte[] seed, byte[] message) throws GeneralSecurityException {
        Signature signing = Signature.getInstance(ALGORITHM);
        signing.initSign(KeyFactory.getInstance(ALGORITHM)
                .generatePrivate(new EdECPrivateKeySpec(NamedParameterSpec.ED25519, seed)));
        signing.update(message);
        return signing.sign();
    }

    static boolean valid(byte[] signature, byte[] key, byte[] message) {
        byte[] encoded = Arrays.copyOf(X509_PREFIX, X509_PREFIX.length + key.length);
        System.arraycopy(key, 0, encoded, X509_PREFIX.length, key.length);
        try {
            Signature verifying = Signature.getInstance(ALGORITHM);
            verifying.initVerify(KeyFactory.getInstance(ALGORITHM).generatePublic(new X509EncodedKeySpec(encoded)));
            verifying.update(message);
            return verifying.verify(signature);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }
}
