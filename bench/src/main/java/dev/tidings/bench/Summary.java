package dev.tidings.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Several rounds: of each target the median and its spread, and the ratios to the first target, round by round.
 *
 * <p>Threads: immutable.
 */
record Summary(Map<String, List<Result>> results, List<String> figures) {

    /** A Markdown table. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("| target | " + String.join(" | ", figures) + " | gaps |");
        lines.add("|---|" + "---|".repeat(figures.size() + 1));
        List<Result> first = results.values().iterator().next();
        results.forEach((target, rounds) -> {
            StringBuilder line = new StringBuilder("| ").append(target);
            for (String figure : figures) {
                line.append(" | ").append(spread(values(rounds, figure)));
                if (rounds != first) {
                    line.append("; ×").append(spread(ratios(first, rounds, figure)));
                }
            }
            double gaps =
                    rounds.stream().mapToDouble(result -> result.figure("gaps")).sum();
            lines.add(line + " | " + (long) gaps + " |");
        });
        return lines;
    }

    private static List<Double> values(List<Result> rounds, String figure) {
        return rounds.stream().map(result -> result.figure(figure)).sorted().toList();
    }

    /** This target's figure over the first one's, in the same round. */
    private static List<Double> ratios(List<Result> first, List<Result> rounds, String figure) {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < Math.min(first.size(), rounds.size()); i++) {
            ratios.add(rounds.get(i).figure(figure) / first.get(i).figure(figure));
        }
        return ratios.stream().sorted().toList();
    }

    private static String spread(List<Double> sorted) {
        return number(sorted.get(sorted.size() / 2)) + " (" + number(sorted.get(0)) + "–"
                + number(sorted.get(sorted.size() - 1)) + ")";
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value >= 1000 ? "%.0f" : value >= 10 ? "%.1f" : "%.2f", value);
    }
}
