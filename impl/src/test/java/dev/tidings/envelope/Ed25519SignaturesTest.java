package dev.tidings.envelope;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.envelope.CborValue.MapValue;
import dev.tidings.envelope.EnvelopeFixtures.Signer;
import java.io.IOException;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Ed25519SignaturesTest {
    private static final HexFormat HEX = HexFormat.of();
    private static final int RANDOM_KEYS = Integer.getInteger("tidings.test.ed25519.keys", 2_000);
    private static final long SEED = Long.getLong("tidings.test.ed25519.seed", 20260101L);

    private static boolean valid(byte[] signature, byte[] key, byte[] message) {
        return signature.length == Signature.SIZE && Ed25519Signatures.valid(signature, key, 0, message);
    }

    @Test
    void valid_wycheproof_agreesWithEveryCase() throws IOException {
        MapValue suite = (MapValue) DagCbor.fromJson(
                Files.readAllBytes(ConformanceFiles.suite("wycheproof").resolve("ed25519_test.json")));
        int cases = 0;
        for (CborValue each : suite.list("testGroups").orElseThrow().items()) {
            MapValue group = (MapValue) each;
            byte[] key = HEX.parseHex(
                    group.map("publicKey").flatMap(named -> named.text("pk")).orElseThrow());
            for (CborValue item : group.list("tests").orElseThrow().items()) {
                MapValue test = (MapValue) item;
                boolean expected = test.text("result").orElseThrow().equals("valid");
                byte[] signature = HEX.parseHex(test.text("sig").orElseThrow());
                byte[] message = HEX.parseHex(test.text("msg").orElseThrow());
                assertEquals(
                        expected,
                        valid(signature, key, message),
                        () -> "case " + test.members().get("tcId"));
                cases++;
            }
        }
        assertEquals(151, cases);
    }

    /** A verifier is not trusted alone: the JDK's provider has to agree on good, changed and foreign signatures. */
    @Test
    void valid_randomKeys_agreesWithTheJdk() throws GeneralSecurityException {
        System.out.println("Ed25519 cross-check: tidings.test.ed25519.seed=" + SEED);
        Random random = new Random(SEED);
        for (int i = 0; i < RANDOM_KEYS; i++) {
            byte[] seed = new byte[32];
            random.nextBytes(seed);
            byte[] message = new byte[random.nextInt(400)];
            random.nextBytes(message);
            Signer signer = Signer.fromSeed(seed);
            byte[] signature = signer.sign(message).bytes().toByteArray();
            byte[] principal = signer.principal().bytes().toByteArray();
            byte[] key = java.util.Arrays.copyOfRange(principal, 2, principal.length);

            if (i % 8 == 0) {
                assertArrayEquals(JdkEd25519.sign(seed, message), signature);
            }
            if (i % 2 == 1) {
                signature[random.nextInt(signature.length)] ^= (byte) (1 << random.nextInt(8));
            }
            assertEquals(
                    JdkEd25519.valid(signature, key, message),
                    valid(signature, key, message),
                    () -> HEX.formatHex(key));
        }
    }

    /** Whoever names such a key could be impersonated by everybody: all eight, and their second encodings. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "0100000000000000000000000000000000000000000000000000000000000000",
                "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
                "0000000000000000000000000000000000000000000000000000000000000000",
                "0000000000000000000000000000000000000000000000000000000000000080",
                "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
                "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
                "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
                "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
                "0100000000000000000000000000000000000000000000000000000000000080",
                "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
                "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
                "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"
            })
    void valid_keyOfSmallOrder_isRefused(String key) {
        byte[] identity = HEX.parseHex("01" + "00".repeat(63));
        // With S = 0 and R = identity the equation holds for a key of small order whenever the challenge is a multiple
        // of 8.
        for (int i = 0; i < 64; i++) {
            assertFalse(valid(identity, HEX.parseHex(key), new byte[i]));
        }
    }

    @Test
    void valid_everySignatureBitFlipped_isRefused() {
        Signer signer = Signer.number(7);
        byte[] message = {1, 2, 3};
        byte[] signature = signer.sign(message).bytes().toByteArray();
        byte[] principal = signer.principal().bytes().toByteArray();
        assertTrue(Ed25519Signatures.valid(signature, principal, 2, message));
        for (int bit = 0; bit < signature.length * 8; bit++) {
            signature[bit / 8] ^= (byte) (1 << bit % 8);
            assertFalse(Ed25519Signatures.valid(signature, principal, 2, message));
            signature[bit / 8] ^= (byte) (1 << bit % 8);
        }
    }
}
