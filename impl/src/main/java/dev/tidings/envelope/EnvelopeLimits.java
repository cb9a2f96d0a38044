package dev.tidings.envelope;

import java.time.Duration;

/**
 * The limits within which an envelope is accepted.
 *
 * <p>Threads: immutable.
 *
 * @param maxDepth levels of maps and arrays, the envelope itself being the first; 2 to 512; a deeper message is refused
 * @param maxClockSkew how far an action's timestamp may be from the server's clock, either way, the edge included; a
 *     timestamp beyond is refused with the server's time
 */
public record EnvelopeLimits(int maxDepth, Duration maxClockSkew) {
    /** 64 levels, five minutes. */
    public static final EnvelopeLimits DEFAULT = new EnvelopeLimits(64, Duration.ofMinutes(5));

    /** @throws IllegalArgumentException if a limit is outside its range */
    public EnvelopeLimits {
        if (maxDepth < 2 || maxDepth > 512) {
            throw new IllegalArgumentException("maxDepth must be between 2 and 512, not " + maxDepth);
        }
        if (maxClockSkew.isNegative() || maxClockSkew.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException("maxClockSkew must be between PT0S and PT24H, not " + maxClockSkew);
        }
    }
}
