package dev.tidings.standalone;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Grizzly's streams of a request, with the first call of a listener made, and the end of a body told once.
 *
 * <p>Grizzly calls a listener only after {@code isReady} has said no; the specification has the container begin.
 */
final class RepairedStreams {
    private RepairedStreams() {}

    /** A request's body. */
    static final class Input extends ServletInputStream {
        private final ServletInputStream stream;
        private final AfterService after;
        private final AtomicBoolean begun = new AtomicBoolean();

        Input(ServletInputStream stream, AfterService after) {
            this.stream = stream;
            this.after = after;
        }

        @Override
        public void setReadListener(ReadListener listener) {
            Once once = new Once(listener);
            stream.setReadListener(once);
            // Where isReady says no, Grizzly has taken note to call: when data comes, or now if all is read.
            after.run(() -> begin(once), Runnable::run);
        }

        /** Not where the application has asked by itself: it reads already, and Grizzly's streams bear one thread. */
        private void begin(Once listener) {
            if (begun.compareAndSet(false, true) && stream.isReady()) {
                listener.onDataAvailable();
            }
        }

        @Override
        public boolean isReady() {
            begun.set(true);
            return stream.isReady();
        }

        @Override
        public boolean isFinished() {
            // Grizzly: the last byte has come, not: it is read.
            return stream.isFinished() && availableOrNone() == 0;
        }

        private int availableOrNone() {
            try {
                return stream.available();
            } catch (IOException e) {
                return 0;
            }
        }

        @Override
        public int available() throws IOException {
            return stream.available();
        }

        @Override
        public int read() throws IOException {
            return stream.read();
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            return stream.read(bytes, offset, length);
        }

        @Override
        public void close() throws IOException {
            stream.close();
        }
    }

    /** Tells of the end once: all read, or an error. */
    private static final class Once implements ReadListener {
        private final ReadListener listener;
        private final AtomicBoolean over = new AtomicBoolean();

        Once(ReadListener listener) {
            this.listener = listener;
        }

        @Override
        public void onDataAvailable() {
            if (over.get()) {
                return;
            }
            try {
                listener.onDataAvailable();
            } catch (IOException | RuntimeException e) {
                onError(e);
            }
        }

        @Override
        public void onAllDataRead() {
            if (!over.compareAndSet(false, true)) {
                return;
            }
            try {
                listener.onAllDataRead();
            } catch (IOException | RuntimeException e) {
                listener.onError(e);
            }
        }

        @Override
        public void onError(Throwable cause) {
            if (over.compareAndSet(false, true)) {
                listener.onError(cause);
            }
        }
    }

    /** A response's body. */
    static final class Output extends ServletOutputStream {
        private final ServletOutputStream stream;
        private final AfterService after;
        private final AnswerQueue queue;
        private final AtomicBoolean begun = new AtomicBoolean();

        Output(ServletOutputStream stream, AfterService after, AnswerQueue queue) {
            this.stream = stream;
            this.after = after;
            this.queue = queue;
        }

        @Override
        public void setWriteListener(WriteListener listener) {
            queue.keepShort();
            stream.setWriteListener(listener);
            after.run(() -> begin(listener), Runnable::run);
        }

        private void begin(WriteListener listener) {
            // Not where the application has asked by itself; and where isReady says no, Grizzly has taken note to call.
            if (!begun.compareAndSet(false, true) || !stream.isReady()) {
                return;
            }
            try {
                listener.onWritePossible();
            } catch (IOException | RuntimeException e) {
                listener.onError(e);
            }
        }

        @Override
        public boolean isReady() {
            begun.set(true);
            return stream.isReady();
        }

        @Override
        public void write(int value) throws IOException {
            stream.write(value);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            stream.write(bytes, offset, length);
        }

        @Override
        public void flush() throws IOException {
            stream.flush();
        }

        @Override
        public void close() throws IOException {
            stream.close();
        }
    }
}
