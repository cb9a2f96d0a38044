package dev.tidings.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Lines of results as Markdown: the machine, the goals, and for each scenario the targets, each figure as the median of its
 * rounds with the least and the most, and its ratio to that of the first target in the same round.
 *
 * <p>Threads: immutable.
 *
 * @param machine what the lines were measured on
 */
record Report(List<Line> machine, List<Line> results) {
    static final String BEGIN = "<!-- figures: written by bench/run table -->";
    static final String END = "<!-- end of figures -->";

    private static final String MACHINE = "machine";

    /** The figures that are shown, and how they are called. */
    private static final Map<String, String> SHOWN = shown();

    /** Figures whose ratio to the first target says something. */
    private static final List<String> COMPARED =
            List.of("cpu_us_per_frame", "user_us_per_frame", "frames_per_s", "p99_ms");

    private static Map<String, String> shown() {
        Map<String, String> shown = new LinkedHashMap<>();
        shown.put("frames_per_s", "frames/s");
        shown.put("cpu_us_per_frame", "CPU µs a frame");
        shown.put("user_us_per_frame", "of it user");
        shown.put("jit_us_per_frame", "the JIT compiler");
        shown.put("database_cpu_us_per_frame", "the database's");
        shown.put("events_per_s", "events/s stored");
        shown.put("transaction_events_per_s", "in a second of transactions");
        shown.put("jdbc_events_per_s", "plain JDBC, events/s");
        shown.put("ratio_to_jdbc", "ratio");
        shown.put("deltas_per_s", "deltas/s");
        shown.put("pace", "of the asked pace");
        shown.put("subscriptions_per_core_s", "subscriptions a CPU second");
        shown.put("connects_per_core_s", "connects a CPU second");
        shown.put("sockets_per_s", "sockets/s");
        shown.put("cpu_us_per_socket", "CPU µs a socket");
        shown.put("heap_b_per_bare_socket", "heap a bare socket, bytes");
        shown.put("heap_b_per_socket", "with three subscriptions");
        shown.put("own_heap_b_per_socket", "of it Tidings' own");
        shown.put("cpu_us_per_frame_without", "CPU µs a frame without");
        shown.put("cpu_ratio", "CPU ratio");
        shown.put("p50_ms", "p50 ms");
        shown.put("p99_ms", "p99 ms");
        shown.put("p999_ms", "p99.9 ms");
        shown.put("p99_ms_without", "p99 ms without");
        shown.put("p99_ratio", "p99 ratio");
        shown.put("rss_mb", "resident MB");
        shown.put("load", "load");
        return shown;
    }

    /** Reads every {@code .jsonl} of a folder; rounds that do not count are left out. */
    static Report of(Path folder) throws IOException {
        List<Line> lines = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(file -> file.toString().endsWith(".jsonl"))
                    .sorted()
                    .toList()) {
                for (String line : Files.readAllLines(file)) {
                    if (line.startsWith("{")) {
                        lines.add(Line.parse(line));
                    }
                }
            }
        }
        return new Report(
                lines.stream()
                        .filter(line -> line.text("scenario").equals(MACHINE))
                        .toList(),
                lines.stream().filter(line -> line.figure("round") >= 0).toList());
    }

    /** This machine, as a line among results. */
    static String thisMachine() throws IOException {
        return com.fasterxml.jackson.databind.node.JsonNodeFactory.instance
                .objectNode()
                .put("scenario", MACHINE)
                .put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"))
                .put("processors", Runtime.getRuntime().availableProcessors())
                .put("processor", processor())
                .put("java", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"))
                .put("load", ServerProcess.load())
                .toString();
    }

    private static String processor() throws IOException {
        Path known = Path.of("/proc/cpuinfo");
        if (!Files.isReadable(known)) {
            return System.getProperty("os.arch");
        }
        try (Stream<String> lines = Files.lines(known)) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).trim())
                    .findFirst()
                    .orElse(System.getProperty("os.arch"));
        }
    }

    /** All of it. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        machine.stream()
                .map(one -> one.text("system") + ", " + one.text("processors") + " processors (" + one.text("processor")
                        + "), " + one.text("java")
                        + ", client and server on the same machine through loopback.")
                .distinct()
                .forEach(lines::add);
        lines.add("");
        lines.add("| goal | | measured, median (least–most) of rounds | |");
        lines.add("|---|---|---|---|");
        Goal.ALL.forEach(goal -> lines.add(goal.row(results)));
        lines.addAll(tables(results));
        return lines;
    }

    /** Writes all of it between the two marks of a document. */
    void into(Path document) throws IOException {
        String text = Files.readString(document);
        int begin = text.indexOf(BEGIN);
        int end = text.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new IllegalArgumentException("the document has no place for figures: " + BEGIN + " … " + END);
        }
        String figures = String.join("\n", lines());
        Files.writeString(document, text.substring(0, begin) + BEGIN + "\n" + figures + "\n\n" + text.substring(end));
    }

    /** A table for each scenario and database. */
    static List<String> tables(List<Line> results) {
        Map<String, List<Line>> groups = results.stream()
                .collect(Collectors.groupingBy(
                        line -> "`" + line.text("scenario") + "`, " + line.text("database"),
                        LinkedHashMap::new,
                        Collectors.toList()));
        List<String> lines = new ArrayList<>();
        groups.forEach((name, group) -> {
            lines.add("");
            lines.add(name + ":");
            lines.add("");
            lines.addAll(table(group));
        });
        return lines;
    }

    private static List<String> table(List<Line> group) {
        List<String> figures = SHOWN.keySet().stream()
                .filter(figure -> group.stream().anyMatch(line -> Double.isFinite(line.figure(figure))))
                .toList();
        Map<String, List<Line>> targets = group.stream()
                .collect(Collectors.groupingBy(line -> line.text("target"), LinkedHashMap::new, Collectors.toList()));
        List<String> lines = new ArrayList<>();
        lines.add(figures.stream().map(SHOWN::get).collect(Collectors.joining(" | ", "| target | ", " | gaps |")));
        lines.add("|---|" + "---|".repeat(figures.size() + 1));
        List<Line> first = targets.values().iterator().next();
        targets.forEach((target, rounds) -> {
            StringBuilder row = new StringBuilder("| ").append(target);
            for (String figure : figures) {
                row.append(" | ").append(cell(first, rounds, figure));
            }
            long gaps = (long)
                    rounds.stream().mapToDouble(line -> line.figure("gaps")).sum();
            lines.add(row + " | " + gaps + " |");
        });
        return lines;
    }

    private static String cell(List<Line> first, List<Line> rounds, String figure) {
        Spread own = Spread.of(rounds.stream().mapToDouble(line -> line.figure(figure)));
        if (own.isEmpty()) {
            return "";
        }
        if (rounds == first || !COMPARED.contains(figure)) {
            return own.toString();
        }
        Spread ratios = Spread.of(rounds.stream()
                .mapToDouble(line -> line.figure(figure)
                        / first.stream()
                                .filter(other -> other.pairs(line))
                                .mapToDouble(other -> other.figure(figure))
                                .findFirst()
                                .orElse(Double.NaN)));
        return own + (ratios.isEmpty() ? "" : "; ×" + ratios);
    }
}
