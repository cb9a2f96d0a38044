package dev.tidings.protocol.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidings.runs.TestDeadlines;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A body may come whole at any moment: none of them may make it look like an empty one. */
class BodyReaderTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    private final HttpExchanges exchanges = new HttpExchanges(
            new HttpLimits(1 << 20, 1 << 20, 1, 1, LONG, LONG), Runnable::run, Runnable::run, TestDeadlines.shared());
    private final byte[] body = bytes(20_000);
    private final List<Object> statuses = new ArrayList<>();

    @Test
    void start_bodyComesBetweenIsReadyAndIsFinished_isReadWhole() {
        Body late = new Body(body, false) {
            @Override
            public boolean isFinished() {
                come();
                return true;
            }
        };
        read(late);
        assertEquals(List.of(200), statuses);
    }

    @Test
    void start_finishedOnlyOnceRead_isReadWhole() {
        Body whole = new Body(body, true) {
            @Override
            public boolean isReady() {
                return !ended();
            }
        };
        read(whole);
        assertEquals(List.of(200), statuses);
    }

    @Test
    void allDataRead_afterTheBodyCameUnasked_isReadWhole() throws IOException {
        Body late = new Body(body, false);
        read(late);
        assertEquals(List.of(), statuses);
        late.come();
        late.tellAllCame();
        assertEquals(List.of(200), statuses);
    }

    /** Grizzly fills the stream on the thread that it calls on: whoever asked before must not read it meanwhile. */
    @Test
    void isReadyNo_containerCallsBeforeItReturns_bodyIsReadOnThatCall() {
        Thread[] readers = new Thread[1];
        Thread[] caller = new Thread[1];
        Body prompt = new Body(body, false) {
            @Override
            public boolean isReady() {
                if (super.isReady() || caller[0] != null) {
                    return super.isReady();
                }
                caller[0] = new Thread(() -> {
                    come();
                    tellAvailable();
                });
                caller[0].start();
                join(caller[0]);
                return false;
            }

            @Override
            public int read(byte[] to, int from, int length) throws IOException {
                readers[0] = Thread.currentThread();
                return super.read(to, from, length);
            }

            @Override
            public boolean isFinished() {
                return available() == 0 && readers[0] != null;
            }
        };
        read(prompt);
        assertEquals(List.of(200), statuses);
        assertEquals(caller[0], readers[0]);
    }

    private static void join(Thread thread) {
        try {
            thread.join(10_000);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        new Random(1).nextBytes(bytes);
        return bytes;
    }

    private CompletableFuture<HttpAnswer> answer(byte[] came, long reserved) {
        exchanges.bodies().give(reserved);
        return CompletableFuture.completedFuture(HttpAnswer.json(Arrays.equals(body, came) ? 200 : 400, new byte[0]));
    }

    private void read(Body in) {
        HttpServletRequest request = fake(
                HttpServletRequest.class,
                Map.of("getProtocol", "HTTP/1.1", "startAsync", context(in), "getInputStream", in));
        try {
            exchanges
                    .begin(request, LONG, HttpRefusal.WORDS)
                    .read(new IncomingBody(1 << 20, exchanges.bodies(), HttpRefusal.WORDS, this::answer));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private AsyncContext context(ServletInputStream in) {
        ServletOutputStream out = new ServletOutputStream() {
            @Override
            public boolean isReady() {
                return true;
            }

            @Override
            public void setWriteListener(WriteListener listener) {}

            @Override
            public void write(int b) {}
        };
        HttpServletRequest request =
                fake(HttpServletRequest.class, Map.of("getProtocol", "HTTP/1.1", "getInputStream", in));
        HttpServletResponse response = fake(HttpServletResponse.class, Map.of("getOutputStream", out));
        return fake(AsyncContext.class, Map.of("getRequest", request, "getResponse", response));
    }

    /** An object that gives what it was told to, and notes statuses. */
    private <T> T fake(Class<T> type, Map<String, Object> answers) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    if (method.getName().equals("setStatus")) {
                        statuses.add(arguments[0]);
                    }
                    return answers.get(method.getName());
                }));
    }

    /** A body that has come or is still to come; finished, as far as it says, once it was read. */
    private static class Body extends ServletInputStream {
        private final byte[] bytes;
        private boolean here;
        private boolean ended;
        private int at;
        private @Nullable ReadListener listener;

        Body(byte[] bytes, boolean here) {
            this.bytes = bytes;
            this.here = here;
        }

        void come() {
            here = true;
        }

        boolean ended() {
            return ended;
        }

        /** Tells the reader that everything has come. */
        void tellAllCame() throws IOException {
            Objects.requireNonNull(listener).onAllDataRead();
        }

        /** Tells the reader that something has come. */
        void tellAvailable() {
            try {
                Objects.requireNonNull(listener).onDataAvailable();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public boolean isReady() {
            return here && at < bytes.length;
        }

        @Override
        public boolean isFinished() {
            return ended;
        }

        @Override
        public int available() {
            return here ? bytes.length - at : 0;
        }

        @Override
        public void setReadListener(ReadListener given) {
            listener = given;
        }

        @Override
        public int read() {
            if (at == bytes.length) {
                ended = true;
                return -1;
            }
            return bytes[at++] & 0xff;
        }
    }
}
