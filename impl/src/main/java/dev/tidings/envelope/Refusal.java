package dev.tidings.envelope;

import java.util.OptionalLong;

/**
 * The answer to an envelope that did not pass; the connection it came on stays usable.
 *
 * <p>Threads: immutable.
 *
 * @param code the stable code
 * @param message text for the peer; holds nothing of the message, of a library or of the server
 * @param reason stable word for logs and metrics, finer than the code ({@code key_order} of {@code not_canonical})
 * @param serverTime the server's clock in epoch milliseconds, present for {@link RefusalCode#CLOCK_WINDOW} only
 * @param skewMillis what to add to the clock of the peer to get the server's, within 2^53 − 1; present likewise
 */
public record Refusal(
        RefusalCode code, String message, String reason, OptionalLong serverTime, OptionalLong skewMillis) {
    private static final double LARGEST_EXACT = 9007199254740991d;

    private Refusal(RefusalCode code, String message, String reason) {
        this(code, message, reason, OptionalLong.empty(), OptionalLong.empty());
    }

    static Refusal of(RefusalCode code) {
        return new Refusal(code, code.message(), code.text());
    }

    static Refusal of(CborFault fault, int atByte) {
        return new Refusal(RefusalCode.NOT_CANONICAL, fault.messageAt(atByte), fault.reason());
    }

    static Refusal signerCheckFailed() {
        RefusalCode code = RefusalCode.SIGNER_NOT_AUTHORIZED;
        return new Refusal(code, code.message(), "signer_check_failed");
    }

    /** @param cid as the peer wrote it: lower-case letters and digits */
    static Refusal capabilityNotAvailable(String cid) {
        RefusalCode code = RefusalCode.CAPABILITY_NOT_AVAILABLE;
        return new Refusal(code, "Capability " + cid + " is not available on the HM network", code.text());
    }

    static Refusal clock(long serverTimeMillis, double timestampMillis) {
        RefusalCode code = RefusalCode.CLOCK_WINDOW;
        double skew = Math.max(-LARGEST_EXACT, Math.min(LARGEST_EXACT, serverTimeMillis - timestampMillis));
        return new Refusal(
                code,
                code.message(),
                code.text(),
                OptionalLong.of(serverTimeMillis),
                OptionalLong.of(Math.round(skew)));
    }
}
