package dev.tidings.bench;

import java.util.List;

/**
 * What a figure is to be.
 *
 * @param over the target whose figure of the same round divides; empty if the figure stands for itself
 * @param most whether the bound is the most that it may be; else the least
 */
record Goal(
        String words,
        String scenario,
        String database,
        String target,
        String figure,
        String over,
        boolean most,
        double bound) {

    /** All of them, as docs/performance.md names them. */
    static final List<Goal> ALL = List.of(
            ratio(
                    "1 to 1,000, saturated: CPU a frame against one write a frame",
                    "fanout-1000",
                    "cpu_us_per_frame",
                    "floor",
                    0.4),
            onServer("WildFly", "wildfly"),
            onServer("Payara", "payara"),
            new Goal(
                    "1 to 1,000, saturated: frames a second against the obvious Tyrus loop",
                    "fanout-1000",
                    "h2",
                    "tidings",
                    "frames_per_s",
                    "tyrus",
                    false,
                    5),
            most("1 to 1,000, saturated: user time a frame, µs", "fanout-1000", "h2", "user_us_per_frame", 0.5),
            ratio(
                    "20 events a second to 1,000: CPU a frame against the floor",
                    "paced-1000",
                    "cpu_us_per_frame",
                    "floor",
                    1.3),
            ratio("20 events a second to 1,000: p99 against the floor's", "paced-1000", "p99_ms", "floor", 1.5),
            most("20 events a second to 1,000: user time a frame, µs", "paced-1000", "h2", "user_us_per_frame", 0.5),
            most(
                    "10,000 idle sockets: CPU of an event that none of them wants, against without them",
                    "idle-10000",
                    "h2",
                    "cpu_ratio",
                    1.05),
            most(
                    "10,000 idle sockets, three subscriptions each: own heap a socket, bytes",
                    "idle-10000",
                    "h2",
                    "own_heap_b_per_socket",
                    2048),
            most(
                    "Replay of 2,000 events from the window: CPU an event, µs",
                    "replay-2000",
                    "h2",
                    "cpu_us_per_frame",
                    3),
            most(
                    "Replay of 10,000 events from PostgreSQL: CPU an event, µs",
                    "replay-10000",
                    "postgresql",
                    "cpu_us_per_frame",
                    10),
            new Goal(
                    "Appends on PostgreSQL, JTA and JPA, against plain batched JDBC",
                    "append",
                    "postgresql",
                    "unfed",
                    "ratio_to_jdbc",
                    "",
                    false,
                    0.6),
            least("The same with the numbering of the feed beside it", "append", "postgresql", "ratio_to_jdbc", 0.6),
            least(
                    "Deltas in batches on PostgreSQL: stored events a second",
                    "deltas",
                    "postgresql",
                    "events_per_s",
                    20_000),
            least(
                    "Verify and subscribe: a second of one processor",
                    "subscribe",
                    "h2",
                    "subscriptions_per_core_s",
                    3_000),
            most(
                    "A tenth of the sockets stalled: the others' p99 against without",
                    "stalled-10",
                    "h2",
                    "p99_ratio",
                    1.2));

    private static Goal ratio(String words, String scenario, String figure, String over, double bound) {
        return new Goal(words, scenario, "h2", "tidings", figure, over, true, bound);
    }

    private static Goal onServer(String name, String target) {
        return new Goal("The same in " + name, "fanout-1000", "h2", target, "cpu_us_per_frame", "floor", true, 0.4);
    }

    private static Goal most(String words, String scenario, String database, String figure, double bound) {
        return new Goal(words, scenario, database, "tidings", figure, "", true, bound);
    }

    private static Goal least(String words, String scenario, String database, String figure, double bound) {
        return new Goal(words, scenario, database, "tidings", figure, "", false, bound);
    }

    /** What the lines say about it: a row of the table. */
    String row(List<Line> lines) {
        Spread measured = Spread.of(lines.stream()
                .filter(line -> isOf(line, target))
                .mapToDouble(line -> line.figure(figure) / divisor(lines, line)));
        String sign = (most ? "≤ " : "≥ ") + Spread.of(java.util.stream.DoubleStream.of(bound));
        if (measured.isEmpty()) {
            return "| " + words + " | " + sign + " | not measured | |";
        }
        boolean reached = most ? measured.median() <= bound : measured.median() >= bound;
        return "| " + words + " | " + sign + " | " + measured + " of "
                + measured.sorted().size() + " | " + (reached ? "reached" : "**not reached**") + " |";
    }

    private double divisor(List<Line> lines, Line line) {
        if (over.isEmpty()) {
            return 1;
        }
        return lines.stream()
                .filter(other -> isOf(other, over) && other.pairs(line))
                .mapToDouble(other -> other.figure(figure))
                .findFirst()
                .orElse(Double.NaN);
    }

    private boolean isOf(Line line, String name) {
        return line.text("scenario").equals(scenario)
                && line.text("database").equals(database)
                && line.text("target").equals(name);
    }
}
