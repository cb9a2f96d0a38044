package dev.tidings.protocol.commands;

import dev.tidings.delivery.Frame;
import jakarta.websocket.Encoder;

/** Hands out a frame's shared text. Public for the container; not API. */
public final class CommandsFrameEncoder implements Encoder.Text<Frame> {

    @Override
    public String encode(Frame frame) {
        return frame.text();
    }
}
