package dev.tidings.protocol.agents;

import jakarta.websocket.Decoder;
import java.nio.ByteBuffer;

/** Binary messages. Public for the container; not API. Never throws: what is wrong with a message is its refusal. */
public final class AgentsBinaryDecoder implements Decoder.Binary<AgentsMessage.OfBytes> {

    @Override
    public AgentsMessage.OfBytes decode(ByteBuffer message) {
        byte[] bytes = new byte[message.remaining()];
        message.get(bytes);
        return AgentsMessage.of(bytes);
    }

    @Override
    public boolean willDecode(ByteBuffer message) {
        return true;
    }
}
