package dev.tidings.envelope;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Base58 with the Bitcoin alphabet. Quadratic in the length: only for short values such as keys and hashes. */
final class Base58 {
    /** Longest text that is decoded; a principal has 47 characters, a CID of a common hash about 50. */
    static final int MAX_TEXT = 128;

    private static final String ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
    private static final BigInteger BASE = BigInteger.valueOf(58);

    private Base58() {}

    static String encode(byte[] source) {
        int zeros = 0;
        while (zeros < source.length && source[zeros] == 0) {
            zeros++;
        }
        // Base 58 digits, least significant first: log(256)/log(58) is a little below 1.38.
        byte[] digits = new byte[(source.length - zeros) * 138 / 100 + 1];
        int used = 0;
        for (int i = zeros; i < source.length; i++) {
            int carry = source[i] & 0xff;
            for (int d = 0; d < used || carry != 0; d++) {
                carry += (digits[d] & 0xff) << 8;
                digits[d] = (byte) (carry % 58);
                carry /= 58;
                used = Math.max(used, d + 1);
            }
        }
        byte[] text = new byte[zeros + used];
        Arrays.fill(text, 0, zeros, (byte) ALPHABET.charAt(0));
        for (int d = 0; d < used; d++) {
            text[zeros + d] = (byte) ALPHABET.charAt(digits[used - 1 - d]);
        }
        return new String(text, StandardCharsets.US_ASCII);
    }

    /** The bytes, or null when the text is too long or holds another character. */
    static byte @Nullable [] decodeOrNull(String text) {
        if (text.length() > MAX_TEXT) {
            return null;
        }
        int zeros = 0;
        while (zeros < text.length() && text.charAt(zeros) == ALPHABET.charAt(0)) {
            zeros++;
        }
        BigInteger number = BigInteger.ZERO;
        for (int i = zeros; i < text.length(); i++) {
            int digit = ALPHABET.indexOf(text.charAt(i));
            if (digit < 0) {
                return null;
            }
            number = number.multiply(BASE).add(BigInteger.valueOf(digit));
        }
        byte[] magnitude = number.signum() == 0 ? new byte[0] : number.toByteArray();
        int skip = magnitude.length > 0 && magnitude[0] == 0 ? 1 : 0;
        byte[] decoded = new byte[zeros + magnitude.length - skip];
        System.arraycopy(magnitude, skip, decoded, zeros, magnitude.length - skip);
        return decoded;
    }
}
