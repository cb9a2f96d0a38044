package dev.tidings;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * One JSON value, as the bytes that are stored and sent.
 *
 * <p>Shape: UTF-8, well formed, exactly one value, no byte order mark. The text is kept as given: numbers of any size,
 * NUL and bytes in their DAG-JSON form survive. Escaped lone surrogates are refused, since no UTF-8 text can hold them.
 * Nesting: at most {@value JsonCheck#MAX_DEPTH} levels.
 *
 * <p>Threads: immutable.
 */
public final class Payload {

    private final byte[] utf8;

    private Payload(byte[] utf8) {
        this.utf8 = utf8;
    }

    /**
     * A payload from JSON text.
     *
     * @throws IllegalArgumentException if the text is not exactly one JSON value
     */
    public static Payload of(String json) {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        if (!new String(bytes, StandardCharsets.UTF_8).equals(json)) {
            // The encoder put a question mark where it met half a surrogate pair.
            throw new IllegalArgumentException("lone surrogate");
        }
        JsonCheck.requireOneValue(bytes);
        return new Payload(bytes);
    }

    /**
     * A payload from JSON in UTF-8; the bytes are copied.
     *
     * @throws IllegalArgumentException if the bytes are not exactly one JSON value
     */
    public static Payload ofUtf8(byte[] json) {
        byte[] copy = json.clone();
        JsonCheck.requireOneValue(copy);
        return new Payload(copy);
    }

    /** The UTF-8 bytes, copied. */
    public byte[] toUtf8() {
        return utf8.clone();
    }

    /** The number of UTF-8 bytes. */
    public int size() {
        return utf8.length;
    }

    /** Copies the bytes into {@code target} from {@code offset} on; {@link #size()} bytes are written. */
    public void copyTo(byte[] target, int offset) {
        System.arraycopy(utf8, 0, target, offset, utf8.length);
    }

    /**
     * Those of the named members of the object that are texts; none if the payload is not an object. Members of inner
     * objects are not looked at; of several equal names the last counts.
     */
    public Map<String, String> textMembers(Set<String> names) {
        return JsonMembers.texts(utf8, names);
    }

    /**
     * Those of the named members of the object that are there, each as it is written; none if the payload is not an
     * object. Of several equal names the last counts.
     */
    public Map<String, Payload> members(Set<String> names) {
        return payloads(JsonMembers.values(utf8, names));
    }

    /** All members of the object, in the order in which they are written; otherwise as {@link #members(Set)}. */
    public Map<String, Payload> members() {
        return payloads(JsonMembers.values(utf8, null));
    }

    private static Map<String, Payload> payloads(Map<String, byte[]> values) {
        Map<String, Payload> members = new LinkedHashMap<>();
        values.forEach((name, value) -> members.put(name, new Payload(value)));
        return members;
    }

    /** The JSON text. */
    public String text() {
        return new String(utf8, StandardCharsets.UTF_8);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Payload p && Arrays.equals(utf8, p.utf8);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(utf8);
    }

    /** The size only: content never reaches a log by accident. */
    @Override
    public String toString() {
        return "Payload[" + utf8.length + " bytes]";
    }
}
