package dev.tidings.envelope;

import dev.tidings.envelope.CborValue.BytesValue;
import dev.tidings.envelope.CborValue.FloatValue;
import dev.tidings.envelope.CborValue.IntegerValue;
import dev.tidings.envelope.CborValue.LinkValue;
import dev.tidings.envelope.CborValue.ListValue;
import dev.tidings.envelope.CborValue.MapValue;
import dev.tidings.envelope.CborValue.TextValue;
import dev.tidings.envelope.Checked.Accepted;
import dev.tidings.envelope.Checked.Refused;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The first half of the checks: received bytes to a well-formed envelope, without any cryptography.
 *
 * <p>Never throws, whatever the bytes are. The live memory of a decoded message is a small multiple of its size. The size
 * itself is limited where messages come in.
 *
 * <p>Threads: safe for use by many threads. Order: the first check of the protocol's list that fails is the refusal.
 */
public final class EnvelopeDecoder {
    private static final String ENVELOPE_TYPE = "AgentsAction";
    private static final long LARGEST_EXACT = 9007199254740991L;

    private final EnvelopeLimits limits;

    public EnvelopeDecoder(EnvelopeLimits limits) {
        this.limits = limits;
    }

    /**
     * Decodes one message.
     *
     * @param message one item of canonical DAG-CBOR; copied
     */
    public Checked<SignedEnvelope> decode(byte[] message) {
        return CanonicalCheck.check(message.clone(), limits.maxDepth()).then(EnvelopeDecoder::envelope);
    }

    /** Decodes a text message that holds the same bytes as a JSON array of numbers from 0 to 255. */
    public Checked<SignedEnvelope> decodeText(String message) {
        return ByteValuesText.read(message).then(this::decode);
    }

    /** The bytes that a text message holds as a JSON array of numbers from 0 to 255. */
    public static Checked<byte[]> bytesOfText(String message) {
        return ByteValuesText.read(message);
    }

    private static Checked<SignedEnvelope> envelope(CheckedBytes message) {
        CborValue root = CborReader.value(message.content(), 0);
        if (!(root instanceof MapValue envelope)) {
            // The texts differ because clients know them so: what JavaScript calls an object has no right type.
            boolean object = root instanceof ListValue || root instanceof BytesValue || root instanceof LinkValue;
            return refused(object ? RefusalCode.INVALID_ENVELOPE_TYPE : RefusalCode.INVALID_ENVELOPE);
        }
        if (!isEnvelopeType(envelope)) {
            return refused(RefusalCode.INVALID_ENVELOPE_TYPE);
        }
        Principal signer = principalOrNull(envelope, "signer");
        if (signer == null) {
            return refused(RefusalCode.INVALID_SIGNER);
        }
        Principal account = principalOrNull(envelope, "account");
        if (account == null) {
            return refused(RefusalCode.INVALID_ACCOUNT);
        }
        Bytes signature = bytesOrNull(envelope, "sig");
        if (signature == null || signature.size() != Signature.SIZE) {
            return refused(RefusalCode.INVALID_SIGNATURE_BYTES);
        }
        return action(envelope)
                .then(action ->
                        new Accepted<>(new SignedEnvelope(message, signer, account, new Signature(signature), action)));
    }

    private static boolean isEnvelopeType(MapValue envelope) {
        return envelope.members().get("type") instanceof TextValue type
                && type.value().equals(ENVELOPE_TYPE);
    }

    private static @Nullable Principal principalOrNull(MapValue envelope, String name) {
        Bytes raw = bytesOrNull(envelope, name);
        return raw == null ? null : Principal.fromBytesOrNull(raw.shared());
    }

    private static @Nullable Bytes bytesOrNull(MapValue envelope, String name) {
        return envelope.members().get(name) instanceof BytesValue found ? found.value() : null;
    }

    /** What the checks read of an action. */
    record Action(MapValue members, String name, double timestampMillis) {}

    private static Checked<Action> action(MapValue envelope) {
        if (!(envelope.members().get("action") instanceof MapValue action)
                || !(action.members().get("_") instanceof TextValue name)) {
            return refused(RefusalCode.INVALID_ACTION);
        }
        OptionalDouble timestamp = timestamp(action);
        if (timestamp.isEmpty()) {
            return refused(RefusalCode.INVALID_ACTION_TIMESTAMP);
        }
        return new Accepted<>(new Action(action, name.value(), timestamp.getAsDouble()));
    }

    /** Integers are exact here: beyond 2^53 − 1 they are refused. */
    private static OptionalDouble timestamp(MapValue action) {
        CborValue value = action.members().get("ts");
        if (value instanceof FloatValue decimal) {
            return OptionalDouble.of(decimal.value());
        }
        if (value instanceof IntegerValue integer) {
            OptionalLong exact = integer.asLong();
            if (exact.isPresent() && exact.getAsLong() >= -LARGEST_EXACT && exact.getAsLong() <= LARGEST_EXACT) {
                return OptionalDouble.of((double) exact.getAsLong());
            }
        }
        return OptionalDouble.empty();
    }

    private static <T> Checked<T> refused(RefusalCode code) {
        return new Refused<>(Refusal.of(code));
    }
}
