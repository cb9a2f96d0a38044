package dev.tidings.blackbox;

import dev.tidings.envelope.CborValue;
import dev.tidings.envelope.DagCbor;
import dev.tidings.envelope.EnvelopeFixtures.Signer;
import dev.tidings.envelope.Principal;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A signed blob by which an account lets another key act for it.
 *
 * <p>Threads: immutable.
 */
public final class Capability {
    private static final String BASE32 = "abcdefghijklmnopqrstuvwxyz234567";

    private final byte[] blob;

    private Capability(byte[] blob) {
        this.blob = blob;
    }

    static Capability signed(Signer issuer, Principal delegate, String role) {
        Map<String, CborValue> members = new LinkedHashMap<>();
        members.put("type", CborValue.text("Capability"));
        members.put("signer", CborValue.bytes(issuer.principal().bytes().toByteArray()));
        members.put("sig", CborValue.bytes(new byte[64]));
        members.put("ts", CborValue.integer(System.currentTimeMillis()));
        members.put("delegate", CborValue.bytes(delegate.bytes().toByteArray()));
        members.put("role", CborValue.text(role));
        byte[] toSign = DagCbor.encode(CborValue.map(members));
        members.put("sig", CborValue.bytes(issuer.sign(toSign).bytes().toByteArray()));
        return new Capability(DagCbor.encode(CborValue.map(members)));
    }

    /** The same with its last byte changed, so that its signature is wrong. */
    public Capability forged() {
        byte[] forged = blob.clone();
        forged[forged.length - 1] ^= 1;
        return new Capability(forged);
    }

    /** The value of {@code RegisterSigner}'s {@code capability}, as JSON shows bytes. */
    public Map<String, ?> bytes() {
        return Map.of("/", Map.of("bytes", Base64.getEncoder().withoutPadding().encodeToString(blob)));
    }

    /** Its content id: version 1, DAG-CBOR, SHA-256, in base 32. */
    String cid() {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(blob);
            byte[] cid = new byte[4 + hash.length];
            cid[0] = 1;
            cid[1] = 0x71;
            cid[2] = 0x12;
            cid[3] = 0x20;
            System.arraycopy(hash, 0, cid, 4, hash.length);
            return "b" + base32(cid);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java has SHA-256", e);
        }
    }

    private static String base32(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        int buffer = 0;
        int bits = 0;
        for (byte b : bytes) {
            buffer = buffer << 8 | b & 0xff;
            bits += 8;
            while (bits >= 5) {
                bits -= 5;
                text.append(BASE32.charAt(buffer >> bits & 31));
            }
            buffer &= (1 << bits) - 1;
        }
        if (bits > 0) {
            text.append(BASE32.charAt(buffer << 5 - bits & 31));
        }
        return text.toString();
    }

    Map<String, CborValue> envelopeMembers() {
        return Map.of("capability", CborValue.text(cid()), "capabilityBlob", CborValue.bytes(blob));
    }
}
