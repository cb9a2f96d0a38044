package dev.tidings.protocol.agents;

import dev.tidings.envelope.CborValue;
import dev.tidings.envelope.CborValue.FloatValue;
import dev.tidings.envelope.CborValue.IntegerValue;
import dev.tidings.envelope.CborValue.MapValue;
import dev.tidings.envelope.CborValue.TextValue;
import java.math.BigInteger;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The members of a {@code Subscribe} action, read when its check comes.
 *
 * <p>Threads: immutable. Source: protocols A2 #13, #14, A8.
 */
record SubscribeAction(MapValue members) {
    private static final BigInteger LARGEST_EXACT = BigInteger.valueOf((1L << 53) - 1);

    /** A refusal on the way through the checks. */
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;
        private final AgentsRefusal refusal;

        Refused(AgentsRefusal refusal) {
            super(refusal.code(), null, false, false);
            this.refusal = refusal;
        }

        AgentsRefusal refusal() {
            return refusal;
        }
    }

    /** The key as it was sent, or null if there is no text. */
    @Nullable
    String keyTextOrNull() {
        return members.text("key").orElse(null);
    }

    /** What the client has seen. */
    Standing.Asked asked() throws Refused {
        Long afterSeq = number("afterSeq", AgentsRefusal.INVALID_AFTER_SEQ);
        Long cursor = number("cursor", AgentsRefusal.INVALID_CURSOR);
        CborValue epoch = members.member("epoch").orElse(null);
        // An epoch that is no text is not ours, so it differs from ours.
        String epochText = epoch instanceof TextValue text ? text.value() : epoch == null ? null : "";
        return new Standing.Asked(afterSeq, cursor, epochText);
    }

    /**
     * A whole number from 0 on, or null if the member is absent. What JavaScript holds without loss comes as an integer;
     * a larger whole number comes as a float, and is beyond every head.
     */
    private @Nullable Long number(String name, AgentsRefusal refusal) throws Refused {
        CborValue value = members.member(name).orElse(null);
        if (value == null) {
            return null;
        }
        if (value instanceof IntegerValue integer
                && integer.value().signum() >= 0
                && integer.value().compareTo(LARGEST_EXACT) <= 0) {
            OptionalLong exact = integer.asLong();
            if (exact.isPresent()) {
                return exact.getAsLong();
            }
        }
        if (value instanceof FloatValue decimal
                && decimal.value() > 0
                && Math.rint(decimal.value()) == decimal.value()) {
            return Long.MAX_VALUE;
        }
        throw new Refused(refusal);
    }
}
