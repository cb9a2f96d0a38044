package dev.tidings.protocol.conversations;

import dev.tidings.delivery.Frame;
import jakarta.websocket.Encoder;

/** A frame's text, the same object for every socket. Public for the container; not API. */
public final class ConversationsFrameEncoder implements Encoder.Text<Frame> {
    @Override
    public String encode(Frame frame) {
        return frame.text();
    }
}
