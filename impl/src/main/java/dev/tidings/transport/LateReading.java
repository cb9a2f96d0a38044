package dev.tidings.transport;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpUpgradeHandler;
import jakarta.servlet.http.WebConnection;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Stands for an upgrade handler whose read listener is set when its {@code init} is over, and whose connection is closed
 * before the container has its request back.
 *
 * <p>Payara puts the request of a socket that is closed into its pool while the connection may still be open. What the peer
 * sends then is taken for another request, with whatever is in the pooled one by now, and in the end two connections have the
 * same. A request whose connection has gone before is never used again.
 *
 * <p>Threads: as the container's. Public for the container, which makes it; not API.
 */
public class LateReading implements HttpUpgradeHandler {
    // Volatile: written before the container calls init, read by it, and by the end of the connection.
    private volatile @Nullable HttpUpgradeHandler handler;
    // Volatile: written with the handler; forgotten once the socket is open, as the container uses it for others.
    private volatile @Nullable HttpServletRequest request;

    /** For the container. */
    public LateReading() {}

    void of(HttpUpgradeHandler late, HttpServletRequest from) {
        handler = late;
        request = from;
    }

    @Override
    public void init(WebConnection connection) {
        HttpUpgradeHandler known = handler;
        if (known != null) {
            HttpServletRequest from = request;
            request = null;
            PayaraConnection wire = from == null ? null : PayaraConnection.ofOrNull(from);
            Connection late = new Connection(connection, wire);
            Upgraded.from(wire, () -> known.init(late));
            late.read();
        }
    }

    @Override
    public void destroy() {
        HttpUpgradeHandler known = handler;
        if (known != null) {
            known.destroy();
        }
    }

    /** Confined: init's thread, but for its end; its streams are the container's. */
    private static final class Connection implements WebConnection {
        private final WebConnection connection;
        private final @Nullable PayaraConnection wire;
        private @Nullable Input input;

        Connection(WebConnection connection, @Nullable PayaraConnection wire) {
            this.connection = connection;
            this.wire = wire;
        }

        @Override
        public ServletInputStream getInputStream() throws IOException {
            Input known = input;
            if (known == null) {
                known = new Input(connection.getInputStream());
                input = known;
            }
            return known;
        }

        @Override
        public ServletOutputStream getOutputStream() throws IOException {
            return connection.getOutputStream();
        }

        @Override
        public void close() throws Exception {
            // While something waits to leave, the container does the rest when the connection is closed behind that.
            if (wire == null || wire.close()) {
                connection.close();
            }
        }

        void read() {
            if (input != null) {
                input.listen();
            }
        }
    }

    private static final class Input extends ServletInputStream {
        private final ServletInputStream in;
        // Confined: init's thread.
        private @Nullable ReadListener listener;

        Input(ServletInputStream in) {
            this.in = in;
        }

        @Override
        public void setReadListener(ReadListener late) {
            listener = late;
        }

        void listen() {
            if (listener != null) {
                try {
                    in.setReadListener(listener);
                } catch (IllegalStateException closedByNow) {
                    // There is nothing to read any more; the container tells the handler of the end.
                }
            }
        }

        @Override
        public boolean isFinished() {
            return in.isFinished();
        }

        @Override
        public boolean isReady() {
            return in.isReady();
        }

        @Override
        public int available() throws IOException {
            return in.available();
        }

        @Override
        public int read() throws IOException {
            return in.read();
        }

        @Override
        public int read(byte[] bytes, int from, int most) throws IOException {
            return in.read(bytes, from, most);
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }
}
