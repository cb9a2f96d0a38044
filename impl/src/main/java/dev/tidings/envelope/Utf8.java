package dev.tidings.envelope;

import java.nio.charset.StandardCharsets;

/** UTF-8 as the wire has it: shortest forms, no surrogates. */
final class Utf8 {
    private Utf8() {}

    /** Whether bytes [from, to) are valid UTF-8. */
    static boolean valid(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to) {
            int lead = bytes[at++];
            if (lead >= 0) {
                continue;
            }
            lead &= 0xff;
            int more = lead < 0xc2 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : lead < 0xf5 ? 3 : 0;
            if (more == 0 || more > to - at || !secondFits(lead, bytes[at] & 0xff)) {
                return false;
            }
            for (int i = at + 1; i < at + more; i++) {
                if ((bytes[i] & 0xc0) != 0x80) {
                    return false;
                }
            }
            at += more;
        }
        return true;
    }

    /** The second byte rules out overlong forms, surrogates and what lies beyond U+10FFFF. */
    private static boolean secondFits(int lead, int second) {
        int lowest = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
        int highest = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
        return second >= lowest && second <= highest;
    }

    /** The bytes of a text; half of a surrogate pair, which UTF-8 cannot hold, becomes U+FFFD. */
    static byte[] encode(String text) {
        return (hasLoneSurrogate(text) ? repaired(text) : text).getBytes(StandardCharsets.UTF_8);
    }

    private static boolean hasLoneSurrogate(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isSurrogate(c)) {
                if (!pairAt(text, i)) {
                    return true;
                }
                i++;
            }
        }
        return false;
    }

    private static String repaired(String text) {
        StringBuilder result = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!Character.isSurrogate(c)) {
                result.append(c);
            } else if (pairAt(text, i)) {
                result.append(c).append(text.charAt(++i));
            } else {
                result.append('\ufffd');
            }
        }
        return result.toString();
    }

    private static boolean pairAt(String text, int i) {
        return Character.isHighSurrogate(text.charAt(i))
                && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1));
    }
}
