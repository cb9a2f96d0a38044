package dev.tidings.standalone;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * What a request asks for, as it came: whether any of our paths could be meant by it.
 *
 * <p>Grizzly answers some that it cannot decode with 500, as if the fault were the server's.
 */
final class RequestTarget {

    /** No servlet has it. */
    static final String NOWHERE = "/-";

    private RequestTarget() {}

    /** Whether the path decodes to UTF-8 without control characters and does not lead above the root. */
    static boolean isSane(String raw) {
        int query = raw.indexOf('?');
        String path = query < 0 ? raw : raw.substring(0, query);
        ByteBuffer decoded = ByteBuffer.allocate(path.length());
        for (int i = 0; i < path.length(); i++) {
            int c = path.charAt(i);
            if (c == '%') {
                int high = i + 2 < path.length() ? Character.digit(path.charAt(i + 1), 16) : -1;
                int low = i + 2 < path.length() ? Character.digit(path.charAt(i + 2), 16) : -1;
                if (high < 0 || low < 0) {
                    return false;
                }
                c = high * 16 + low;
                i += 2;
            } else if (c > 0x7e) {
                return false;
            }
            if (c < 0x20 || c == 0x7f) {
                return false;
            }
            decoded.put((byte) c);
        }
        return isSane(decoded.flip());
    }

    private static boolean isSane(ByteBuffer decoded) {
        String path;
        try {
            path = StandardCharsets.UTF_8.newDecoder().decode(decoded).toString();
        } catch (CharacterCodingException malformed) {
            return false;
        }
        int depth = 0;
        for (String segment : path.split("[/\\\\]", -1)) {
            if (segment.equals("..")) {
                depth--;
            } else if (!segment.isEmpty() && !segment.equals(".")) {
                depth++;
            }
            if (depth < 0) {
                return false;
            }
        }
        return true;
    }
}
