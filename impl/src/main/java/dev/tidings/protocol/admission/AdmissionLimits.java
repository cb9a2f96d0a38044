package dev.tidings.protocol.admission;

/**
 * Who may come in, and how much may be asked; docs/configuration.md has the keys.
 *
 * <p>Threads: immutable.
 *
 * @param maxSocketsPerAccount {@code tidings.agents.max-sockets-per-account}: sockets bound to one account; a subscription
 *     on one more is refused
 * @param maxSocketsPerAddress {@code tidings.agents.max-sockets-per-address}: sockets of one peer address, where the
 *     container tells it; one more is closed at once
 * @param messagesPerSecond {@code tidings.agents.max-messages-per-second}: inbound messages of one socket, in the long
 *     run; twice as many in a burst; what is beyond is refused unread
 * @param maxRefusals {@code tidings.agents.max-refusals}: messages that are refused, because they come too fast or without a
 *     look at their signature, by a peer that does not keep within the rate in between; one more closes the socket for good
 */
public record AdmissionLimits(
        int maxSocketsPerAccount, int maxSocketsPerAddress, int messagesPerSecond, int maxRefusals) {

    /** The defaults. */
    public static final AdmissionLimits DEFAULTS = new AdmissionLimits(4_096, 16_384, 100, 1_000);

    /** Checks the ranges; throws IllegalArgumentException with the key. */
    public AdmissionLimits {
        check("max-sockets-per-account", maxSocketsPerAccount);
        check("max-sockets-per-address", maxSocketsPerAddress);
        check("max-messages-per-second", messagesPerSecond);
        check("max-refusals", maxRefusals);
    }

    private static void check(String key, int value) {
        if (value <= 0) {
            throw new IllegalArgumentException("tidings.agents." + key + " is out of range");
        }
    }
}
