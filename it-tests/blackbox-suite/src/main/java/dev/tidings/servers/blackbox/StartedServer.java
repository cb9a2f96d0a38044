package dev.tidings.servers.blackbox;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A server in a process of its own, which was started and has said that it is ready.
 *
 * <p>Threads: one at a time; one of its own copies what the server says.
 */
public final class StartedServer implements AutoCloseable {
    private static final long START_SECONDS = 180;
    private static final long STOP_SECONDS = 60;

    private final Process process;
    private final StringBuffer output;

    private StartedServer(Process process, StringBuffer output) {
        this.process = process;
        this.output = output;
    }

    /** Its process. */
    public long pid() {
        return process.pid();
    }

    /** What it said so far. */
    public String output() {
        return output.toString();
    }

    /**
     * Starts it and waits.
     *
     * @param ready a part of the line that says so
     */
    public static StartedServer start(ProcessBuilder command, String ready) {
        try {
            Process started = command.redirectErrorStream(true).start();
            StringBuffer output = new StringBuffer();
            await(started, output, ready);
            return new StartedServer(started, output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void await(Process started, StringBuffer output, String ready) {
        CompletableFuture<Boolean> said = new CompletableFuture<>();
        Thread reader = new Thread(() -> read(started, output, ready, said), "server output");
        reader.setDaemon(true);
        reader.start();
        try {
            said.get(START_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        } catch (ExecutionException | TimeoutException e) {
            started.destroyForcibly();
            throw new AssertionError("the server did not start", e);
        }
    }

    private static void read(Process started, StringBuffer output, String ready, CompletableFuture<Boolean> said) {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(started.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                System.out.println("server: " + line);
                output.append(line).append('\n');
                if (line.contains(ready)) {
                    said.complete(true);
                }
            }
        } catch (IOException streamClosed) {
            // The process is gone.
        }
        said.completeExceptionally(new AssertionError("the server ended"));
    }

    /** Stops it in good order. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("the server does not stop");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
