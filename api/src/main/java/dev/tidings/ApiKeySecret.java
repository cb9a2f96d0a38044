package dev.tidings;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An API key as its holder presents it.
 *
 * <p>Shape: {@code tdg_}, 16 hexadecimal digits that name the key, {@code _}, 43 characters of base64url with 256 random
 * bits; 64 characters, all of which may stand in a URL, a header and the name of a WebSocket sub-protocol. The prefix
 * lets scanners for leaked secrets recognise it.
 *
 * <p>What is stored is {@link #sha256()} of the whole text. A slow password hash would add nothing: it makes guessing
 * dear where people chose the secret, and nobody guesses 256 random bits.
 *
 * <p>Threads: immutable. {@link #toString} shows the public part only.
 */
public final class ApiKeySecret {

    /** The length of the text, in characters. */
    public static final int LENGTH = 64;

    private static final int SECRET_BYTES = 32;
    private static final int ID_BYTES = 8;
    private static final Pattern SHAPE = Pattern.compile("tdg_([0-9a-f]{16})_[A-Za-z0-9_-]{43}");
    private static final SecureRandom RANDOM = new SecureRandom();

    private final String id;
    private final String text;

    private ApiKeySecret(String id, String text) {
        this.id = id;
        this.text = text;
    }

    /** A new one. */
    public static ApiKeySecret random() {
        String id = HexFormat.of().formatHex(bytes(ID_BYTES));
        String secret = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes(SECRET_BYTES));
        return new ApiKeySecret(id, "tdg_" + id + "_" + secret);
    }

    /** What somebody presented, if it has the shape of a key. */
    public static Optional<ApiKeySecret> parse(String presented) {
        var matcher = SHAPE.matcher(presented);
        return presented.length() == LENGTH && matcher.matches()
                ? Optional.of(new ApiKeySecret(matcher.group(1), presented))
                : Optional.empty();
    }

    /** The name of the key. */
    public String id() {
        return id;
    }

    /** The text, a secret: for its holder alone, never for a log. */
    public String text() {
        return text;
    }

    /** What is stored in place of the text: 32 bytes. */
    public byte[] sha256() {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.US_ASCII));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    @Override
    public String toString() {
        return "ApiKeySecret[" + id + "]";
    }

    private static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        RANDOM.nextBytes(bytes);
        return bytes;
    }
}
