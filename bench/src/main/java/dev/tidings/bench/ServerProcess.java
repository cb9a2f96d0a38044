package dev.tidings.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A server in a process of its own, and what it costs the machine.
 *
 * <p>Threads: any.
 */
final class ServerProcess implements AutoCloseable {
    private static final Pattern LISTENING = Pattern.compile("listening on (http://[0-9.:]+)");
    private static final long TICK_MICROS = 10_000;
    private static final Pattern COMPILER = Pattern.compile("C[12] Compiler");
    private static final long START_SECONDS = 300;

    private final long pid;
    private final Process process;
    private final URI base;

    /**
     * Processor time in microseconds.
     *
     * @param compiler how much of it the JIT compiler's threads have used that are there now
     */
    record Cpu(long user, long system, long compiler) {
        static final Cpu UNKNOWN = new Cpu(-1, -1, 0);

        Cpu and(Cpu other) {
            return new Cpu(user + other.user, system + other.system, compiler + other.compiler);
        }

        Cpu since(Cpu before) {
            return new Cpu(user - before.user, system - before.system, compiler - before.compiler);
        }
    }

    private ServerProcess(Process process, URI base) {
        this.process = process;
        this.pid = process.pid();
        this.base = base;
    }

    /** Starts a Java program from a class path and waits until it says where it listens. */
    static ServerProcess start(
            List<String> jvm, String classPath, String main, Map<String, String> environment, String... arguments) {
        List<String> all = new ArrayList<>(jvm);
        all.addAll(List.of("-cp", classPath, main));
        all.addAll(List.of(arguments));
        return launch(main.substring(main.lastIndexOf('.') + 1), all, environment, line -> {
            Matcher match = LISTENING.matcher(line);
            return match.find() ? Optional.of(URI.create(match.group(1))) : Optional.empty();
        });
    }

    /**
     * Starts a Java program and waits until it serves.
     *
     * @param arguments what comes behind {@code java}
     * @param listening where it listens, if a line of its output says that it does
     */
    static ServerProcess launch(
            String name,
            List<String> arguments,
            Map<String, String> environment,
            Function<String, Optional<URI>> listening) {
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElse("java"));
        command.add("-Djdk.nio.maxCachedBufferSize=262144");
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        try {
            Process process = builder.start();
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
            CompletableFuture<URI> base = new CompletableFuture<>();
            Thread reader = new Thread(() -> read(process, name, listening, base), "output of " + name);
            reader.setDaemon(true);
            reader.start();
            return new ServerProcess(process, base.get(START_SECONDS, TimeUnit.SECONDS));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (Exception e) {
            throw new IllegalStateException(name + " did not start", e);
        }
    }

    private static void read(
            Process process, String name, Function<String, Optional<URI>> listening, CompletableFuture<URI> base) {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                System.err.println(name + ": " + line);
                listening.apply(line).ifPresent(base::complete);
            }
        } catch (IOException ended) {
            // The process is gone.
        }
        base.completeExceptionally(new IllegalStateException(name + " ended"));
    }

    URI base() {
        return base;
    }

    long pid() {
        return pid;
    }

    /** What a process has used so far; unknown where there is no {@code /proc}, or no such process. */
    static Cpu cpu(long pid) {
        Cpu all = cpu(Path.of("/proc/" + pid + "/stat"), 11);
        return new Cpu(all.user(), all.system(), compiler(pid));
    }

    /** What a process and its children have used, those included that have ended. */
    static Cpu cpuWithChildren(long pid) {
        Cpu all = cpu(pid).and(cpu(Path.of("/proc/" + pid + "/stat"), 13));
        for (ProcessHandle child :
                ProcessHandle.of(pid).stream().flatMap(ProcessHandle::children).toList()) {
            all = all.and(cpu(child.pid()));
        }
        return all;
    }

    private static Cpu cpu(Path statFile, int firstField) {
        try {
            String stat = Files.readString(statFile);
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return new Cpu(
                    Long.parseLong(fields[firstField]) * TICK_MICROS,
                    Long.parseLong(fields[firstField + 1]) * TICK_MICROS,
                    0);
        } catch (IOException e) {
            return Cpu.UNKNOWN;
        }
    }

    private static long compiler(long pid) {
        long sum = 0;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/" + pid + "/task"))) {
            for (Path thread : threads) {
                if (COMPILER.matcher(nameOf(thread)).lookingAt()) {
                    Cpu used = cpu(thread.resolve("stat"), 11);
                    sum += Math.max(0, used.user() + used.system());
                }
            }
        } catch (IOException | DirectoryIteratorException unknown) {
            // Nothing of it is known.
        }
        return sum;
    }

    private static String nameOf(Path thread) {
        try {
            return Files.readString(thread.resolve("comm"));
        } catch (IOException ended) {
            return "";
        }
    }

    /** The resident memory of a process in KiB; -1 if it is unknown. */
    static long residentKib(long pid) {
        try (Stream<String> lines = Files.lines(Path.of("/proc/" + pid + "/status"))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .map(line -> line.replaceAll("\\D", ""))
                    .mapToLong(Long::parseLong)
                    .findFirst()
                    .orElse(-1);
        } catch (IOException e) {
            return -1;
        }
    }

    /** How many processes of this machine were ready on average in the last minute; NaN if that is unknown. */
    static double load() {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        return load < 0 ? Double.NaN : load;
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
