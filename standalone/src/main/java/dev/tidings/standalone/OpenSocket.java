package dev.tidings.standalone;

import dev.tidings.delivery.Disconnect;
import dev.tidings.transport.Chatter;
import jakarta.websocket.CloseReason;
import jakarta.websocket.CloseReason.CloseCodes;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.glassfish.grizzly.CloseListener;
import org.glassfish.grizzly.CloseType;
import org.glassfish.grizzly.Closeable;
import org.glassfish.grizzly.Connection;
import org.glassfish.tyrus.spi.WebSocketEngine.UpgradeInfo;

/**
 * An upgraded connection, between Grizzly and Tyrus.
 *
 * <p>Threads: {@code received} is confined to the one thread that reads the connection at a time; the rest is safe for
 * use by many.
 */
final class OpenSocket {
    private final Connection<?> connection;
    private final SocketWriter writer;
    private final FrameMeter meter;
    private final Chatter chatter;
    private final org.glassfish.tyrus.spi.Connection tyrus;

    /** Calls @OnOpen on this thread. */
    OpenSocket(Connection<?> connection, SocketWriter writer, FrameMeter meter, Chatter chatter, UpgradeInfo upgrade) {
        this.connection = connection;
        this.writer = writer;
        this.meter = meter;
        this.chatter = chatter;
        this.tyrus = upgrade.createConnection(writer, reason -> writer.close());
    }

    /** From here on the end of the connection is the end of the session. */
    void follow() {
        whenClosed(() -> {
            writer.breakOff(new IOException("the connection is closed"));
            close(CloseCodes.CLOSED_ABNORMALLY, "");
        });
    }

    /** Runs when the connection is gone, once; at once if it is gone already. */
    void whenClosed(Runnable then) {
        connection.addCloseListener((CloseListener<Closeable, CloseType>) (closed, type) -> then.run());
    }

    void received(ByteBuffer bytes) {
        if (writer.ending()) {
            return; // what a peer sends between our close frame and its own end
        }
        FrameMeter.Verdict verdict = meter.scan(bytes);
        int frames = meter.chatter();
        if (frames > 0) {
            chatter.told(frames);
        }
        if (bytes.hasRemaining()) {
            tyrus.getReadHandler().handle(bytes);
        }
        switch (verdict) {
            case TOO_BIG -> close(CloseCodes.TOO_BIG, Disconnect.TOO_BIG.reason());
            case MALFORMED -> close(CloseCodes.PROTOCOL_ERROR, "malformed frame");
            case FINE -> {
                // goes on
            }
        }
    }

    /** Sends a close frame behind what waits, calls @OnClose on this thread; nothing if it is closing already. */
    void close(CloseCodes code, String reason) {
        tyrus.close(new CloseReason(code, reason));
    }

    void abort() {
        writer.abort();
    }
}
