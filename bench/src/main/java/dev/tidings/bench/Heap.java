package dev.tidings.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What lives in the heap of another Java process, after a collection: all of it, and the objects of Tidings' classes, those of
 * the runnable server's container left out. Asked with {@code jcmd} of this JDK.
 *
 * @param all bytes
 * @param own bytes, without what these objects refer to
 */
record Heap(double all, double own) {
    private static final Pattern CLASS = Pattern.compile("^ *\\d+: +\\d+ +(\\d+)  (\\S+).*$", Pattern.MULTILINE);
    private static final Pattern TOTAL = Pattern.compile("^Total +\\d+ +(\\d+)", Pattern.MULTILINE);

    /** The heap of a process; NaN if it cannot be told. */
    static Heap of(long pid) {
        // Twice: what ended with the first collection, such as closed sockets, goes with the second.
        ask(pid, "GC.run");
        String histogram = ask(pid, "GC.class_histogram");
        Matcher total = TOTAL.matcher(histogram);
        if (!total.find()) {
            return new Heap(Double.NaN, Double.NaN);
        }
        double own = 0;
        Matcher one = CLASS.matcher(histogram);
        while (one.find()) {
            String name = one.group(2);
            if (name.startsWith("dev.tidings.") && !name.startsWith("dev.tidings.standalone.")) {
                own += Double.parseDouble(one.group(1));
            }
        }
        return new Heap(Double.parseDouble(total.group(1)), own);
    }

    Heap since(Heap before) {
        return new Heap(all - before.all, own - before.own);
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
