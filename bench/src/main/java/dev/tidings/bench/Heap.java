package dev.tidings.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The heap of another Java process, asked with {@code jcmd} of this JDK. */
final class Heap {
    private static final Pattern USED = Pattern.compile("heap +total \\d+K, used (\\d+)K");

    private Heap() {}

    /** What lives, in KiB, after a collection; NaN if it cannot be told. */
    static double usedKib(long pid) {
        ask(pid, "GC.run");
        Matcher used = USED.matcher(ask(pid, "GC.heap_info"));
        return used.find() ? Double.parseDouble(used.group(1)) : Double.NaN;
    }

    private static String ask(long pid, String what) {
        try {
            Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
            Process process = new ProcessBuilder(jcmd.toString(), Long.toString(pid), what)
                    .redirectErrorStream(true)
                    .start();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }
}
