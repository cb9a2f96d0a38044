package dev.tidings.standalone;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What a request asks for, as it came: whether any of our paths could be meant by it.
 *
 * <p>Grizzly answers some that it cannot decode with 500, as if the fault were the server's.
 */
final class RequestTarget {

    /** No servlet has it. */
    static final String NOWHERE = "/-";

    private RequestTarget() {}

    /**
     * Whether the path decodes to UTF-8 without control characters, leads nowhere but down, and has no separator that is
     * encoded or turned round. Clients resolve dots themselves, and in none of our paths is there a place for the rest.
     */
    static boolean isSane(String raw) {
        int query = raw.indexOf('?');
        String path = path(query < 0 ? raw : raw.substring(0, query));
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
                if (c == '/') {
                    return false;
                }
            } else if (c > 0x7e) {
                return false;
            }
            if (c < 0x20 || c == 0x7f || c == '\\') {
                return false;
            }
            decoded.put((byte) c);
        }
        return isSane(decoded.flip());
    }

    /** Without the server's own address, which a client may send along. */
    private static String path(String target) {
        int scheme = target.startsWith("/") ? -1 : target.indexOf("://");
        int path = scheme < 0 ? -1 : target.indexOf('/', scheme + 3);
        return path < 0 ? target : target.substring(path);
    }

    private static boolean isSane(ByteBuffer decoded) {
        String path;
        try {
            path = StandardCharsets.UTF_8.newDecoder().decode(decoded).toString();
        } catch (CharacterCodingException malformed) {
            return false;
        }
        return Arrays.stream(path.split("/", -1)).noneMatch(segment -> segment.equals("..") || segment.equals("."));
    }
}
