package dev.tidings.bench;

import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

/**
 * Figures of several rounds, in order.
 *
 * <p>Threads: immutable.
 */
record Spread(List<Double> sorted) {

    /** Those of the values that are numbers. */
    static Spread of(DoubleStream values) {
        return new Spread(values.filter(Double::isFinite).sorted().boxed().toList());
    }

    boolean isEmpty() {
        return sorted.isEmpty();
    }

    double median() {
        return sorted.get(sorted.size() / 2);
    }

    /** The median, and of several the least and the most. */
    @Override
    public String toString() {
        if (sorted.size() == 1) {
            return number(median());
        }
        return number(median()) + " (" + number(sorted.get(0)) + "–" + number(sorted.get(sorted.size() - 1)) + ")";
    }

    private static String number(double value) {
        double size = Math.abs(value);
        return String.format(Locale.ROOT, size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : "%.2f", value);
    }
}
