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
 */
public record Refusal(RefusalCode code, String message, String reason, OptionalLong serverTime) {
    static Refusal of(RefusalCode code) {
        return new Refusal(code, code.message(), code.text(), OptionalLong.empty());
    }

    static Refusal of(CborFault fault, int atByte) {
        return new Refusal(RefusalCode.NOT_CANONICAL, fault.messageAt(atByte), fault.reason(), OptionalLong.empty());
    }

    static Refusal signerCheckFailed() {
        RefusalCode code = RefusalCode.SIGNER_NOT_AUTHORIZED;
        return new Refusal(code, code.message(), "signer_check_failed", OptionalLong.empty());
    }

    static Refusal clock(long serverTimeMillis) {
        RefusalCode code = RefusalCode.CLOCK_WINDOW;
        return new Refusal(code, code.message(), code.text(), OptionalLong.of(serverTimeMillis));
    }
}
