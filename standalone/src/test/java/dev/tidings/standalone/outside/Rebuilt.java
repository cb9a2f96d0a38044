package dev.tidings.standalone.outside;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidings.envelope.CborValue;
import dev.tidings.envelope.CborValue.MapValue;
import dev.tidings.envelope.DagCbor;
import dev.tidings.envelope.EnvelopeFixtures;
import dev.tidings.envelope.EnvelopeFixtures.Signer;
import dev.tidings.envelope.EnvelopeLimits;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Messages of which a transcript keeps the beginning only, made anew from the note beside them: what each note says is wrong
 * with its message is wrong with ours.
 *
 * <p>Threads: one replay's.
 */
final class Rebuilt {
    /** A recorded message is cut at this many bytes. */
    private static final int CUT_BYTES = 200;

    private static final long TEN_MINUTES = 600_000;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Names names;
    private final String account;
    private final String other;

    /**
     * @param account the account that the transcript's sockets are bound to, as theirs
     * @param other another one: of a delegate, or of a stranger
     */
    Rebuilt(Names names, String account, String other) {
        this.names = names;
        this.account = account;
        this.other = other;
    }

    /** Whether a record is one that only its note describes. */
    static boolean isCut(JsonNode record) {
        return !record.has("action")
                && (record.path("hex").asText().length() == 2 * CUT_BYTES
                        || record.path("text").asText().length() == CUT_BYTES);
    }

    byte[] message(String note) {
        Signer ours = names.signer(account);
        Signer others = names.signer(other);
        CborValue own = CborValue.text("account/" + ours.id());
        CborValue otherOwn = CborValue.text("account/" + others.id());
        if (note.startsWith("key \"")) {
            return signed(ours, ours, subscribe(CborValue.text(names.key(quoted(note)))));
        }
        if (note.startsWith("TEXT frame holding")) {
            return signed(ours, ours, subscribe(own));
        }
        return switch (note) {
            case "no key" -> signed(ours, ours, without(subscribe(own), "key"));
            case "key 5" -> signed(ours, ours, subscribe(CborValue.integer(5)));
            case "key null" -> signed(ours, ours, subscribe(CborValue.NULL));
            case "key array" -> signed(ours, ours, subscribe(CborValue.list(List.of(agentKey()))));
            case "non-Subscribe action" -> signed(ours, ours, with(subscribe(own), "_", CborValue.text("ListAgents")));
            case "no ts" -> signed(ours, ours, without(subscribe(own), "ts"));
            case "ts string" -> signed(ours, ours, with(subscribe(own), "ts", CborValue.text("now")));
            case "ts old" -> signed(ours, ours, with(subscribe(own), "ts", CborValue.integer(now() - TEN_MINUTES)));
            case "ts BigInt-encoded (same bytes as int)" -> signed(ours, ours, subscribe(own));
            case "still usable" -> signed(ours, ours, subscribe(agentKey()));
            case "before RegisterSigner", "after RegisterSigner", "unauthorized delegated signer" ->
                signed(others, ours, subscribe(own));
            case "delegate's own account id under account A" -> signed(others, ours, subscribe(otherOwn));
            case "account switch", "as itself on the same socket" -> signed(others, others, subscribe(otherOwn));
            case "unknown envelope keys + protocol" ->
                EnvelopeFixtures.signed(
                        ours,
                        ours.principal(),
                        CborValue.map(subscribe(own)),
                        Map.of("protocol", CborValue.text("2"), "unknown", CborValue.integer(1)));
            default -> spoiled(note, signed(ours, ours, subscribe(own)), others);
        };
    }

    /** A message that was changed after it was signed. */
    private static byte[] spoiled(String note, byte[] message, Signer others) {
        return switch (note) {
            case "trailing byte" -> Arrays.copyOf(message, message.length + 1);
            case "zero sig" -> replaced(message, "sig", CborValue.bytes(new byte[64]));
            case "63-byte sig" -> replaced(message, "sig", CborValue.bytes(new byte[63]));
            case "wrong type" -> replaced(message, "type", CborValue.text("OtherAction"));
            case "account swapped, bad sig" ->
                replaced(
                        message,
                        "account",
                        CborValue.bytes(others.principal().bytes().toByteArray()));
            default -> throw new AssertionError("a message that nobody knows how to make again: " + note);
        };
    }

    private static byte[] replaced(byte[] message, String member, CborValue value) {
        CborValue envelope = DagCbor.decode(message, EnvelopeLimits.DEFAULT).fold(decoded -> decoded, refusal -> {
            throw new AssertionError(refusal);
        });
        return DagCbor.encode(CborValue.map(with(((MapValue) envelope).members(), member, value)));
    }

    private CborValue agentKey() {
        return CborValue.text("agents/" + names.only("agents"));
    }

    private static String quoted(String note) {
        try {
            return JSON.readValue(note.substring("key ".length()), String.class);
        } catch (IOException e) {
            throw new AssertionError("no text: " + note, e);
        }
    }

    private static long now() {
        return System.currentTimeMillis();
    }

    private static Map<String, CborValue> subscribe(CborValue key) {
        return Map.of("_", CborValue.text("Subscribe"), "ts", CborValue.integer(now()), "key", key);
    }

    private static Map<String, CborValue> with(Map<String, CborValue> members, String name, CborValue value) {
        Map<String, CborValue> all = new LinkedHashMap<>(members);
        all.put(name, value);
        return all;
    }

    private static Map<String, CborValue> without(Map<String, CborValue> members, String name) {
        Map<String, CborValue> rest = new LinkedHashMap<>(members);
        rest.remove(name);
        return rest;
    }

    private static byte[] signed(Signer signer, Signer account, Map<String, CborValue> action) {
        return EnvelopeFixtures.signed(signer, account.principal(), CborValue.map(action), Map.of());
    }
}
