package dev.tidings.envelope;

import dev.tidings.envelope.CborValue.MapValue;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.bouncycastle.math.ec.rfc8032.Ed25519;

/**
 * Keys and signed envelopes as a client makes them.
 *
 * <p>Public because the tests of other packages and modules sign with it.
 */
public final class EnvelopeFixtures {
    private EnvelopeFixtures() {}

    /** A key pair, given by its 32-byte seed. */
    public record Signer(Bytes seed, Principal principal) {
        /** The signer with the given number, always the same. */
        public static Signer number(long number) {
            return fromSeed(Arrays.copyOf(ByteBuffer.allocate(8).putLong(number).array(), 32));
        }

        /** The signer of a seed of 32 bytes. */
        public static Signer fromSeed(byte[] seed) {
            byte[] raw = new byte[Principal.SIZE];
            raw[0] = (byte) 0xed;
            raw[1] = 1;
            Ed25519.generatePublicKey(seed, 0, raw, 2);
            return new Signer(Bytes.copyOf(seed), Principal.fromBytes(raw).orElseThrow());
        }

        /** The text form of the principal. */
        public String id() {
            return principal.text();
        }

        /** The signature of any bytes. */
        public Signature sign(byte[] message) {
            byte[] signature = new byte[Signature.SIZE];
            Ed25519.sign(seed.toByteArray(), 0, message, 0, message.length, signature, 0);
            return new Signature(Bytes.copyOf(signature));
        }
    }

    /** A Subscribe action. */
    public static MapValue subscribe(String key, long timestampMillis) {
        return action("Subscribe", timestampMillis, Map.of("key", CborValue.text(key)));
    }

    /** A Subscribe action with a place to go on from. */
    public static MapValue subscribe(String key, long timestampMillis, long afterSeq) {
        return action(
                "Subscribe",
                timestampMillis,
                Map.of("key", CborValue.text(key), "afterSeq", CborValue.integer(afterSeq)));
    }

    /** An action of any name with any further members. */
    public static MapValue action(String name, long timestampMillis, Map<String, ? extends CborValue> members) {
        Map<String, CborValue> all = new LinkedHashMap<>(members);
        all.put("_", CborValue.text(name));
        all.put("ts", CborValue.integer(timestampMillis));
        return CborValue.map(all);
    }

    /** A signed envelope for the signer's own account. */
    public static byte[] signed(Signer signer, MapValue action) {
        return signed(signer, signer.principal(), action, Map.of());
    }

    /**
     * A signed envelope.
     *
     * @param others further members of the envelope; they are signed too
     */
    public static byte[] signed(
            Signer signer, Principal account, MapValue action, Map<String, ? extends CborValue> others) {
        Map<String, CborValue> members = new LinkedHashMap<>(others);
        members.put("type", CborValue.text("AgentsAction"));
        members.put("signer", CborValue.bytes(signer.principal().bytes().toByteArray()));
        members.put("account", CborValue.bytes(account.bytes().toByteArray()));
        members.put("sig", CborValue.bytes(new byte[Signature.SIZE]));
        members.put("action", action);
        byte[] toSign = DagCbor.encode(CborValue.map(members));
        members.put("sig", new CborValue.BytesValue(signer.sign(toSign).bytes()));
        return DagCbor.encode(CborValue.map(members));
    }

    /** A capability: the issuer lets the delegate act for it. */
    public static byte[] capability(Signer issuer, Principal delegate, String role, long issuedAtMillis) {
        return signedBlob(
                issuer,
                Map.of(
                        "type", CborValue.text("Capability"),
                        "signer", CborValue.bytes(issuer.principal().bytes().toByteArray()),
                        "delegate", CborValue.bytes(delegate.bytes().toByteArray()),
                        "role", CborValue.text(role),
                        "ts", CborValue.integer(issuedAtMillis)));
    }

    /** Any members and {@code sig}, signed like an envelope. */
    public static byte[] signedBlob(Signer signer, Map<String, ? extends CborValue> members) {
        Map<String, CborValue> all = new LinkedHashMap<>(members);
        all.put("sig", CborValue.bytes(new byte[Signature.SIZE]));
        byte[] toSign = DagCbor.encode(CborValue.map(all));
        all.put("sig", new CborValue.BytesValue(signer.sign(toSign).bytes()));
        return DagCbor.encode(CborValue.map(all));
    }

    /** The members of an envelope that carries a capability. */
    public static Map<String, CborValue> carrying(byte[] capability) {
        return Map.of(
                "capability",
                CborValue.text(Cid.ofDagCbor(Bytes.copyOf(capability)).text()),
                "capabilityBlob",
                CborValue.bytes(capability));
    }

    /** The same envelope as a text message: a JSON array of byte values. */
    public static String asText(byte[] envelope) {
        StringBuilder text = new StringBuilder("[");
        for (byte b : envelope) {
            text.append(text.length() == 1 ? "" : ",").append(b & 0xff);
        }
        return text.append(']').toString();
    }
}
