package dev.tidings.standalone.outside;

import dev.tidings.envelope.CborValue;
import dev.tidings.envelope.CborValue.BytesValue;
import dev.tidings.envelope.CborValue.IntegerValue;
import dev.tidings.envelope.CborValue.MapValue;
import dev.tidings.envelope.CborValue.TextValue;
import dev.tidings.envelope.DagCbor;
import dev.tidings.envelope.EnvelopeFixtures.Signer;
import dev.tidings.envelope.EnvelopeLimits;
import dev.tidings.envelope.Principal;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.bouncycastle.math.ec.rfc8032.Ed25519;

/**
 * A message of a transcript, made again with our keys, our names and the time of now. What was wrong with it stays wrong;
 * what is no envelope at all stays as it was.
 */
final class Resigned {
    private Resigned() {}

    /** @param laterMillis how much later than the message was sent it is now */
    static byte[] message(byte[] theirs, Names names, long laterMillis) {
        return map(theirs)
                .flatMap(envelope -> {
                    Map<String, CborValue> members = new LinkedHashMap<>(envelope.members());
                    Optional<Principal> signer = principal(members.get("signer"));
                    Optional<Principal> account = principal(members.get("account"));
                    return members.get("action") instanceof MapValue action
                                    && signer.isPresent()
                                    && account.isPresent()
                                    && members.get("sig") instanceof BytesValue signature
                            ? Optional.of(again(
                                    theirs,
                                    members,
                                    names.signer(signer.get().text()),
                                    names.signer(account.get().text()),
                                    action(action, names, laterMillis),
                                    signature.value().toByteArray()))
                            : Optional.<byte[]>empty();
                })
                .orElse(theirs);
    }

    private static byte[] again(
            byte[] theirs,
            Map<String, CborValue> members,
            Signer signer,
            Signer account,
            MapValue action,
            byte[] signature) {
        boolean good = verifies(theirs, members, signature);
        members.put("action", action);
        members.put("signer", bytes(signer.principal()));
        members.put("account", bytes(account.principal()));
        if (signature.length == 64) {
            members.put("sig", CborValue.bytes(new byte[64]));
            byte[] ours =
                    signer.sign(DagCbor.encode(CborValue.map(members))).bytes().toByteArray();
            if (!good) {
                ours[40] ^= 1;
            }
            members.put("sig", CborValue.bytes(ours));
        }
        return DagCbor.encode(CborValue.map(members));
    }

    /** A capability of a transcript, from our accounts; forged if theirs was. */
    static Map<String, ?> capability(byte[] theirs, Names names) {
        MapValue blob = map(theirs).orElseThrow();
        Map<String, CborValue> members = new LinkedHashMap<>(blob.members());
        String issuer = principal(members.get("signer")).orElseThrow().text();
        String delegate = principal(members.get("delegate")).orElseThrow().text();
        String role = ((TextValue) java.util.Objects.requireNonNull(members.get("role"))).value();
        boolean good = verifies(
                theirs,
                members,
                ((BytesValue) java.util.Objects.requireNonNull(members.get("sig")))
                        .value()
                        .toByteArray());
        var ours = names.client(issuer).capabilityFor(names.client(delegate), role);
        return (good ? ours : ours.forged()).bytes();
    }

    /** Who a capability of a transcript is from. */
    static String issuer(byte[] theirs) {
        return principal(map(theirs).orElseThrow().members().get("signer"))
                .orElseThrow()
                .text();
    }

    private static boolean verifies(byte[] theirs, Map<String, CborValue> members, byte[] signature) {
        if (signature.length != 64) {
            return false;
        }
        Map<String, CborValue> zeroed = new LinkedHashMap<>(members);
        zeroed.put("sig", CborValue.bytes(new byte[64]));
        byte[] signed = DagCbor.encode(CborValue.map(zeroed));
        return signed.length == theirs.length
                && principal(members.get("signer"))
                        .map(signer ->
                                Ed25519.verify(signature, 0, signer.bytes().toByteArray(), 2, signed, 0, signed.length))
                        .orElse(false);
    }

    private static MapValue action(MapValue theirs, Names names, long laterMillis) {
        Map<String, CborValue> members = new LinkedHashMap<>(theirs.members());
        if (members.get("ts") instanceof IntegerValue time) {
            members.put(
                    "ts",
                    CborValue.integer(
                            time.value().add(BigInteger.valueOf(laterMillis)).longValue()));
        }
        if (members.get("key") instanceof TextValue key) {
            members.put("key", CborValue.text(names.key(key.value())));
        }
        return CborValue.map(members);
    }

    private static CborValue bytes(Principal principal) {
        return CborValue.bytes(principal.bytes().toByteArray());
    }

    private static Optional<Principal> principal(@org.jspecify.annotations.Nullable CborValue value) {
        return value instanceof BytesValue bytes
                ? Principal.fromBytes(bytes.value().toByteArray())
                : Optional.empty();
    }

    private static Optional<MapValue> map(byte[] cbor) {
        return DagCbor.decode(cbor, EnvelopeLimits.DEFAULT)
                .fold(
                        value -> value instanceof MapValue map ? Optional.of(map) : Optional.<MapValue>empty(),
                        refusal -> Optional.<MapValue>empty());
    }
}
