package dev.tidings.protocol.agents;

import dev.tidings.envelope.Checked;
import dev.tidings.envelope.EnvelopeDecoder;
import dev.tidings.envelope.SignedEnvelope;

/**
 * An inbound message as it came. The socket decodes it, with the limits that are configured: the container makes decoders by
 * itself and gives them none.
 *
 * <p>Public for the container, which hands it from decoder to endpoint; not API. There are two kinds because a container
 * finds the decoder by the type.
 *
 * <p>Threads: immutable; nobody writes to the bytes.
 */
public sealed interface AgentsMessage {
    /** Goes through the cheap checks (A2 1 to 8): the envelope, or why it holds none. Never throws. */
    Checked<SignedEnvelope> decode(EnvelopeDecoder decoder);

    /** The size of the message as it came, in bytes; of a text at least the number of its characters. */
    int size();

    /** A binary message. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record OfBytes(byte[] content) implements AgentsMessage {
        @Override
        public Checked<SignedEnvelope> decode(EnvelopeDecoder decoder) {
            return decoder.decode(content);
        }

        @Override
        public int size() {
            return content.length;
        }
    }

    /** A text message: the same bytes as a JSON array of numbers. */
    record OfText(String content) implements AgentsMessage {
        @Override
        public Checked<SignedEnvelope> decode(EnvelopeDecoder decoder) {
            return decoder.decodeText(content);
        }

        @Override
        public int size() {
            return content.length();
        }
    }

    /** A binary message. */
    static OfBytes of(byte[] message) {
        return new OfBytes(message);
    }

    /** A text message. */
    static OfText of(String message) {
        return new OfText(message);
    }
}
