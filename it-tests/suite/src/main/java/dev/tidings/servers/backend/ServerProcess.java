package dev.tidings.servers.backend;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * The server's process, looked at from outside.
 *
 * <p>Threads: one.
 */
public final class ServerProcess {

    private static final int PATIENCE_SECONDS = 60;

    private final long pid;

    /** The process of that number. */
    public ServerProcess(long pid) {
        this.pid = pid;
    }

    /** How often a class is loaded, each time by another loader, after the garbage was collected. */
    int loaded(String className) {
        return loaded(List.of(className)).getOrDefault(className, 0);
    }

    /** The same for several, looked at once. */
    Map<String, Integer> loaded(List<String> classNames) {
        jcmd("GC.run");
        String loaders = jcmd("VM.classloaders", "show-classes");
        Map<String, Integer> counts = new TreeMap<>();
        for (String name : classNames) {
            String line = "(?m)(?:^|\\s)" + Pattern.quote(name) + "(?:$|\\s)";
            counts.put(
                    name, (int) Pattern.compile(line).matcher(loaders).results().count());
        }
        return counts;
    }

    /** How many objects of a class live. */
    public int instances(String className) {
        return Pattern.compile("(?m)^ *\\d+: +(\\d+) +\\d+ +" + Pattern.quote(className) + "\\s")
                .matcher(jcmd("GC.class_histogram"))
                .results()
                .mapToInt(line -> Integer.parseInt(line.group(1)))
                .sum();
    }

    /** The names of the threads that belong to the container's factories for applications, or that run our code. */
    List<String> threadsOfApplications() {
        List<String> names = new ArrayList<>();
        for (String thread : jcmd("Thread.print").split("\n\n")) {
            int end = thread.indexOf('"', 1);
            if (thread.startsWith("\"") && end > 0) {
                String name = thread.substring(1, end);
                if (name.contains("ManagedThreadFactory") || thread.contains("at dev.tidings.")) {
                    names.add(name);
                }
            }
        }
        return names;
    }

    private String jcmd(String... command) {
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString());
        line.add(Long.toString(pid));
        line.addAll(List.of(command));
        try {
            Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new AssertionError(
                        "jcmd failed: " + output.lines().limit(5).toList());
            }
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
