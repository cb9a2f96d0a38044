package dev.tidings.standalone.outside;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server started with {@code ./run} as a user would, in a process of its own on a free port. */
final class RunningServer implements AutoCloseable {
    private static final Pattern LISTENING = Pattern.compile("listening on (http://[0-9.:]+)");

    private final Process process;
    private final URI base;

    private RunningServer(Process process, URI base) {
        this.process = process;
        this.base = base;
    }

    /** The folder that holds {@code ./run}. */
    static Path project() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.isExecutable(folder.resolve("run"))) {
            folder = folder.getParent();
            if (folder == null) {
                throw new AssertionError("no ./run above the working directory");
            }
        }
        return folder;
    }

    /** The command, not yet started. */
    static ProcessBuilder command(String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(project().resolve("run").toString());
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectErrorStream(true);
    }

    /** Starts a server over a data folder, with further options, and waits until it listens. */
    static RunningServer start(Path data, String... more) {
        return start(data, Map.of(), more);
    }

    /** The same with variables in its environment. */
    static RunningServer start(Path data, Map<String, String> environment, String... more) {
        List<String> arguments = new ArrayList<>(List.of("--port", "0", "--data", data.toString()));
        arguments.addAll(List.of(more));
        ProcessBuilder builder = command(arguments.toArray(new String[0]));
        builder.environment().putAll(environment);
        return start(builder);
    }

    /** Starts a server from the class path of the tests, with the scripted agent in the place of the demo agent. */
    static RunningServer startScripted(Path data) {
        return start(new ProcessBuilder(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-Xmx512m",
                        "-D" + ScriptedAgent.SWITCH + "=true",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.tidings.standalone.Main",
                        "--port",
                        "0",
                        "--data",
                        data.toString())
                .redirectErrorStream(true));
    }

    private static RunningServer start(ProcessBuilder builder) {
        try {
            Process process = builder.start();
            CompletableFuture<URI> listening = new CompletableFuture<>();
            StringBuffer output = new StringBuffer();
            Thread reader = new Thread(() -> read(process, output, listening), "server output");
            reader.setDaemon(true);
            reader.start();
            URI base = listening.get(120, TimeUnit.SECONDS);
            return new RunningServer(process, base);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError("the server did not start", e);
        }
    }

    private static void read(Process process, StringBuffer output, CompletableFuture<URI> listening) {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                output.append(line).append('\n');
                System.out.println("server: " + line);
                Matcher match = LISTENING.matcher(line);
                if (match.find()) {
                    listening.complete(URI.create(match.group(1)));
                }
            }
        } catch (IOException streamClosed) {
            // The process is gone.
        }
        listening.completeExceptionally(new AssertionError("the server ended; it said:\n" + output));
    }

    /** Where it listens. */
    URI base() {
        return base;
    }

    /** Its process; {@code ./run} becomes the server. */
    long pid() {
        return process.pid();
    }

    /** Its resident memory and the most that was, in KiB; empty where there is no {@code /proc}. */
    Optional<Memory> memory() {
        Path status = Path.of("/proc/" + process.pid() + "/status");
        if (!Files.isReadable(status)) {
            return Optional.empty();
        }
        try {
            List<String> lines = Files.readAllLines(status);
            return Optional.of(new Memory(kib(lines, "VmRSS:"), kib(lines, "VmHWM:")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Resident memory of a process in KiB. */
    record Memory(long now, long peak) {}

    private static long kib(List<String> lines, String name) {
        return lines.stream()
                .filter(line -> line.startsWith(name))
                .map(line -> line.replaceAll("\\D", ""))
                .mapToLong(Long::parseLong)
                .findFirst()
                .orElseThrow();
    }

    /** Asks it to stop with SIGTERM, and does not wait. */
    void terminate() {
        process.destroy();
    }

    /** Kills it with SIGKILL and waits until it is gone. */
    void kill() {
        process.destroyForcibly();
        await();
    }

    /** Asks it to stop with SIGTERM, and gives its exit code. */
    int stop() {
        process.destroy();
        return await();
    }

    private int await() {
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                throw new AssertionError("the server does not stop");
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    @Override
    public void close() {
        kill();
    }
}
