package dev.tidings.bench;

import java.nio.charset.StandardCharsets;

/**
 * The events of the bench, as they are on the wire.
 *
 * <p>Shape: the JSON of an {@code append} of the Agents protocol, whose payload has {@code at}, the moment it was sent in
 * microseconds of the epoch, and {@code pad}, letters that bring the frame to its size.
 */
final class Event {
    /** What the protocol puts around a payload, about. */
    private static final int AROUND = 193;

    private static final String SESSION = "00000000-0000-0000-0000-000000000000";

    private Event() {}

    /** The payload of an event whose frame is to have about that size. */
    static String payload(long at, int frameBytes) {
        String members = "{\"type\":\"bench\",\"at\":" + at + ",\"pad\":\"";
        int pad = Math.max(0, frameBytes - AROUND - members.length() - 2);
        return members + "x".repeat(pad) + "\"}";
    }

    /** The frame that a peer sends, of the same size as one of ours. */
    static byte[] frame(long seq, long at, int frameBytes) {
        String head = "{\"_\":\"append\",\"key\":\"sessions/" + SESSION + "\",\"event\":{\"id\":\"b" + seq
                + "\",\"sessionId\":\"" + SESSION + "\",\"seq\":" + seq + ",\"event\":";
        return (head + payload(at, frameBytes) + ",\"createdAt\":" + at / 1000 + "}}")
                .getBytes(StandardCharsets.US_ASCII);
    }

    /** The moment, microseconds since the epoch. */
    static long now() {
        java.time.Instant now = java.time.Instant.now();
        return now.getEpochSecond() * 1_000_000 + now.getNano() / 1000;
    }
}
