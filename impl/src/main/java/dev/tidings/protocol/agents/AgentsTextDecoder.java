package dev.tidings.protocol.agents;

import jakarta.websocket.Decoder;

/** Text messages. Public for the container; not API. Never throws: what is wrong with a message is its refusal. */
public final class AgentsTextDecoder implements Decoder.Text<AgentsMessage.OfText> {

    @Override
    public AgentsMessage.OfText decode(String message) {
        return AgentsMessage.of(message);
    }

    @Override
    public boolean willDecode(String message) {
        return true;
    }
}
