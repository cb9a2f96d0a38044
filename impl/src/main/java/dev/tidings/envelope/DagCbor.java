package dev.tidings.envelope;

/**
 * Canonical DAG-CBOR: bytes to values, values to bytes, and both to and from JSON.
 *
 * <p>JSON uses the DAG-JSON forms: bytes are {@code {"/":{"bytes":"<base64 without padding>"}}} and links
 * {@code {"/":"<CID>"}}. Integers are decimal digits of any size. An object of that very shape that came as JSON is read as
 * bytes or a link; any other object with a member {@code "/"} stays an object.
 *
 * <p>Threads: safe for use by many threads.
 */
public final class DagCbor {
    private DagCbor() {}

    /**
     * Reads one item of canonical DAG-CBOR.
     *
     * @param message copied
     * @return the value, or a refusal with the code {@link RefusalCode#NOT_CANONICAL}
     */
    public static Checked<CborValue> decode(byte[] message, EnvelopeLimits limits) {
        return CanonicalCheck.check(message.clone(), limits.maxDepth())
                .then(checked -> new Checked.Accepted<>(CborReader.value(checked.content(), 0)));
    }

    /**
     * The one canonical form of a value: definite lengths, shortest heads, sorted keys. Halves of surrogate pairs, which UTF-8
     * cannot hold, become U+FFFD.
     */
    public static byte[] encode(CborValue value) {
        return CborWriter.write(value);
    }

    /** A value as compact JSON in UTF-8. */
    public static byte[] toJson(CborValue value) {
        return CborJson.write(value);
    }

    /**
     * The value of a JSON text. Whole numbers within 2^53 − 1 become integers however they are written, and so does every
     * number written without fraction and exponent from −2^64 to 2^64 − 1; all others become the nearest float. Of a repeated
     * member the last counts.
     *
     * @param json UTF-8
     * @throws IllegalArgumentException if that is not one JSON value, or it is nested more than 1,000 levels
     */
    public static CborValue fromJson(byte[] json) {
        return CborJson.read(json);
    }

    /**
     * A JSON text as canonical DAG-CBOR: {@link #encode} of {@link #fromJson}.
     *
     * @param json UTF-8
     * @throws IllegalArgumentException if that is not one JSON value, or it is nested more than 1,000 levels
     */
    public static byte[] encodeJson(byte[] json) {
        return encode(fromJson(json));
    }
}
