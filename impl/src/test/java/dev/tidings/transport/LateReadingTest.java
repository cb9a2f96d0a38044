package dev.tidings.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpUpgradeHandler;
import jakarta.servlet.http.WebConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LateReadingTest {
    private final List<String> steps = new ArrayList<>();

    /** Data is there already: whoever listens is called at once, by the thread that sets it. */
    private final class Bytes extends ServletInputStream {
        @Override
        public void setReadListener(ReadListener listener) {
            try {
                listener.onDataAvailable();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public boolean isFinished() {
            return false;
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public int read() {
            return 'x';
        }
    }

    private final class Socket implements WebConnection {
        @Override
        public ServletInputStream getInputStream() {
            return new Bytes();
        }

        @Override
        public ServletOutputStream getOutputStream() throws IOException {
            throw new IOException("nothing is written here");
        }

        @Override
        public void close() {
            steps.add("closed");
        }
    }

    /** As Tyrus does it: listens first, then makes the connection without which it cannot read. */
    private final class Hasty implements HttpUpgradeHandler, ReadListener {
        private ServletInputStream in = new Bytes();
        private @Nullable PayaraConnection upgraded;

        @Override
        public void init(WebConnection connection) {
            try {
                in = connection.getInputStream();
                in.setReadListener(this);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            upgraded = Upgraded.connectionOrNull();
            steps.add("connection made");
        }

        @Override
        public void onDataAvailable() throws IOException {
            steps.add("read " + (char) in.read());
        }

        @Override
        public void onAllDataRead() {}

        @Override
        public void onError(Throwable error) {}

        @Override
        public void destroy() {
            steps.add("destroyed");
        }
    }

    private static HttpServletRequest request() {
        return (HttpServletRequest) Proxy.newProxyInstance(
                LateReadingTest.class.getClassLoader(),
                new Class<?>[] {HttpServletRequest.class},
                (self, method, of) -> {
                    throw new UnsupportedOperationException(method.getName());
                });
    }

    /** The steps from a request of Payara to its connection. */
    public interface Steps {
        /** The first. */
        Object getUnwrappedCoyoteRequest();

        /** The second. */
        Object getCoyoteRequest();

        /** The third. */
        Object getContext();

        /** The last. */
        Object getConnection();
    }

    private static HttpServletRequest requestOf(Wire wire) {
        return (HttpServletRequest) Proxy.newProxyInstance(
                LateReadingTest.class.getClassLoader(),
                new Class<?>[] {HttpServletRequest.class, Steps.class},
                (self, method, of) -> method.getName().equals("getConnection") ? wire : self);
    }

    /** A connection of Grizzly's: closed behind what waits. */
    public final class Wire {
        private final boolean waits;

        Wire(boolean waits) {
            this.waits = waits;
        }

        /** As Grizzly has it. */
        public void closeSilently() {
            steps.add("wire closed");
        }

        /** As Grizzly has it. */
        public void terminateSilently() {
            steps.add("wire ended");
        }

        /** As Grizzly has it. */
        public boolean isOpen() {
            return waits;
        }
    }

    /** As Tyrus does it when a peer or an endpoint closes. */
    private static final class Closing implements HttpUpgradeHandler {
        @Override
        public void init(WebConnection connection) {
            try {
                connection.close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void destroy() {}
    }

    private void closeOver(Wire wire) {
        LateReading late = new LateReading();
        late.of(new Closing(), requestOf(wire));
        late.init(new Socket());
    }

    /** The container takes its request back only when nothing more can come in. */
    @Test
    void close_aConnectionThatIsKnown_goesBeforeTheRequest() {
        closeOver(new Wire(false));
        assertEquals(List.of("wire closed", "closed"), steps);
    }

    /** The container does the rest when the connection is closed behind that. */
    @Test
    void close_somethingWaitsToLeave_theRequestIsNotGivenBackBefore() {
        closeOver(new Wire(true));
        assertEquals(List.of("wire closed"), steps);
    }

    @Test
    void init_dataIsThereAlready_isReadWhenTheConnectionIsMade() {
        LateReading late = new LateReading();
        late.of(new Hasty(), request());
        late.init(new Socket());
        late.destroy();
        assertEquals(List.of("connection made", "read x", "destroyed"), steps);
    }

    /** A door finds its connection, but only while this socket opens. */
    @Test
    void init_socketOpens_theConnectionIsKnownOnThisThreadMeanwhile() {
        Wire wire = new Wire(false);
        Hasty handler = new Hasty();
        LateReading late = new LateReading();
        late.of(handler, requestOf(wire));
        assertNull(Upgraded.connectionOrNull());
        late.init(new Socket());
        assertSame(wire, Objects.requireNonNull(handler.upgraded).unwrap());
        assertNull(Upgraded.connectionOrNull());
    }

    /** Law 4: a peer that takes nothing does not keep it for ever. */
    @Test
    void close_somethingWaitsForTooLong_theConnectionIsEnded() {
        PayaraConnection connection = Objects.requireNonNull(PayaraConnection.ofOrNull(requestOf(new Wire(true))));
        List<Runnable> late = new ArrayList<>();
        connection.patience(late::add);
        assertFalse(connection.close());
        assertEquals(List.of("wire closed"), steps);
        late.forEach(Runnable::run);
        assertEquals(List.of("wire closed", "wire ended"), steps);
    }
}
