package dev.tidings.protocol.agents;

import dev.tidings.envelope.Checked;
import dev.tidings.envelope.EnvelopeDecoder;
import dev.tidings.envelope.EnvelopeLimits;
import dev.tidings.envelope.Refusal;
import dev.tidings.envelope.RefusalCode;
import dev.tidings.envelope.SignedEnvelope;
import java.util.OptionalLong;

/**
 * An inbound message behind the cheap checks (A2 1 to 8): the envelope that it holds, or why it holds none.
 *
 * <p>Public for the container, which hands it from decoder to endpoint; not API. There are two kinds because a container
 * finds the decoder by the type.
 *
 * <p>Threads: immutable.
 */
public sealed interface AgentsMessage {
    /** Not configured: the depth is a property of the format here, and decoders are made by the container. */
    EnvelopeDecoder DECODER = new EnvelopeDecoder(EnvelopeLimits.DEFAULT);

    /** The envelope or the refusal. */
    Checked<SignedEnvelope> envelope();

    /** The size of the message as it came, in bytes. */
    int size();

    /** A binary message. */
    record OfBytes(Checked<SignedEnvelope> envelope, int size) implements AgentsMessage {}

    /** A text message: the same bytes as a JSON array of numbers. */
    record OfText(Checked<SignedEnvelope> envelope, int size) implements AgentsMessage {}

    /** Decodes a binary message; never throws. */
    static OfBytes of(byte[] message) {
        return new OfBytes(large(message.length) ? tooBig() : DECODER.decode(message), message.length);
    }

    /** Decodes a text message; never throws. */
    static OfText of(String message) {
        return new OfText(large(message.length()) ? tooBig() : DECODER.decodeText(message), message.length());
    }

    private static boolean large(int size) {
        return size > AgentsLimits.LARGEST_MESSAGE;
    }

    /** Never sent: a message of this size closes the socket. */
    private static Checked<SignedEnvelope> tooBig() {
        return new Checked.Refused<>(
                new Refusal(RefusalCode.NOT_CANONICAL, "The message is too big", "too_big", OptionalLong.empty()));
    }
}
