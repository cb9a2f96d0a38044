package dev.tidings.protocol.commands;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A transcript on its way to a client that reads as fast as it likes: no thread waits for it, and one piece is in memory.
 *
 * <p>Threads: any; one step at a time, and whoever comes while it runs makes it run once more.
 */
final class TranscriptAnswer implements WriteListener, AsyncListener {
    private static final int CHUNK = 32 << 10;

    private final AsyncContext context;
    private final ServletOutputStream out;
    private final Transcript transcript;
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicReference<Transcript.@Nullable Piece> arrived = new AtomicReference<>();

    // Confined, all three: the one step at a time.
    private byte[] piece = new byte[0];
    private int written;
    private boolean awaiting;

    TranscriptAnswer(AsyncContext context, ServletOutputStream out, Transcript transcript) {
        this.context = context;
        this.out = out;
        this.transcript = transcript;
    }

    void begin() {
        context.addListener(this);
        out.setWriteListener(this);
        // Grizzly's servlets call a listener only after they were asked whether they are ready.
        onWritePossible();
    }

    @Override
    public void onWritePossible() {
        if (asked.getAndIncrement() != 0) {
            return;
        }
        int answered = 1;
        do {
            try {
                step();
            } catch (IOException | IllegalStateException gone) {
                complete();
            }
            answered = asked.addAndGet(-answered);
        } while (answered != 0);
    }

    private void step() throws IOException {
        take();
        while (!over.get() && out.isReady()) {
            if (written == piece.length) {
                if (!awaiting) {
                    awaiting = true;
                    transcript.next(made -> {
                        arrived.set(made);
                        onWritePossible();
                    });
                }
                return;
            }
            int length = Math.min(CHUNK, piece.length - written);
            out.write(piece, written, length);
            written += length;
        }
    }

    private void take() throws IOException {
        Transcript.Piece next = arrived.getAndSet(null);
        if (next instanceof Transcript.Piece.Some some) {
            awaiting = false;
            piece = some.utf8();
            written = 0;
        } else if (next instanceof Transcript.Piece.Broken) {
            broken();
        } else if (next != null) {
            complete();
        }
    }

    /** What was sent is no whole JSON object, so nobody takes it for one. */
    private void broken() {
        complete();
    }

    private void complete() {
        if (end()) {
            try {
                context.complete();
            } catch (IllegalStateException already) {
                // The container was faster.
            }
        }
    }

    private boolean end() {
        boolean first = over.compareAndSet(false, true);
        if (first) {
            transcript.close();
        }
        return first;
    }

    @Override
    public void onError(Throwable gone) {
        complete();
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        complete();
    }

    @Override
    public void onError(AsyncEvent event) {
        complete();
    }

    @Override
    public void onComplete(AsyncEvent event) {
        end();
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        // Nobody dispatches it again.
    }
}
