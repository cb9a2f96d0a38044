package dev.tidings.protocol.http;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.Locale;

/**
 * The {@code Accept} headers of a request: how much a client likes a media type, from 0, not at all, to 1.
 *
 * <p>What cannot be read of them is passed over; parameters of media types do not count. Threads: pure. Spec: RFC 9110,
 * 12.5.1.
 */
public final class Accept {
    private static final String ALL = "*/*";

    private static final int NAMED = 3;

    private final String ranges;

    /** How closely a range names a type, 0 for not at all, and how much it is liked. */
    private record Range(int closeness, double quality) {}

    private Accept(String ranges) {
        this.ranges = ranges;
    }

    /** Those of a request; without any, everything is as good. */
    public static Accept of(HttpServletRequest request) {
        return of(String.join(",", Collections.list(request.getHeaders("Accept"))));
    }

    static Accept of(String ranges) {
        return new Accept(ranges.isBlank() ? ALL : ranges.toLowerCase(Locale.ROOT));
    }

    /** Whether a type is asked for before another, which whoever names neither gets: it is liked more, or as much and named. */
    public boolean prefers(String type, String usual) {
        Range wanted = closest(type);
        double quality = wanted.quality();
        double other = closest(usual).quality();
        return quality > other || quality > 0 && quality == other && wanted.closeness() == NAMED;
    }

    /** The one that counts for a type. */
    private Range closest(String type) {
        Range closest = new Range(0, 0);
        for (String range : ranges.split(",", -1)) {
            String[] parts = range.split(";", -1);
            int closeness = closeness(parts[0].strip(), type);
            double quality = quality(parts);
            if (closeness > closest.closeness() && quality >= 0) {
                closest = new Range(closeness, quality);
            }
        }
        return closest;
    }

    private static int closeness(String range, String type) {
        if (range.equals(type)) {
            return NAMED;
        }
        return range.equals(type.substring(0, type.indexOf('/')) + "/*") ? 2 : range.equals(ALL) ? 1 : 0;
    }

    /** Negative if it is none. */
    private static double quality(String[] parts) {
        for (int i = 1; i < parts.length; i++) {
            String parameter = parts[i].strip();
            if (parameter.startsWith("q=")) {
                return parameter.matches("q=(0(\\.[0-9]{0,3})?|1(\\.0{0,3})?)")
                        ? Double.parseDouble(parameter.substring(2))
                        : -1;
            }
        }
        return 1;
    }
}
