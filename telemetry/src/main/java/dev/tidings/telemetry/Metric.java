package dev.tidings.telemetry;

import dev.tidings.spi.Counters.Counter;
import io.opentelemetry.api.common.Attributes;

/**
 * A counter's metric: its name, unit and kind. Counters that are parts of one sum are one metric, told apart by an attribute.
 *
 * <p>Threads: immutable.
 *
 * @param unit as UCUM has it: {@code By}, {@code s}, or what is counted in braces
 * @param kind how it moves
 * @param attributes which part of the metric it is; a fixed word for each counter
 */
record Metric(String name, String unit, String description, Kind kind, Attributes attributes) {

    /** How a value moves. */
    enum Kind {
        /** Only up. */
        SUM,
        /** Only up; counted in nanoseconds and told in seconds. */
        SECONDS,
        /** Up and down: what is there now. */
        NOW
    }

    private static Metric now(String name, String unit, String description) {
        return new Metric("tidings." + name, unit, description, Kind.NOW, Attributes.empty());
    }

    private static Metric sum(String name, String unit, String description) {
        return new Metric("tidings." + name, unit, description, Kind.SUM, Attributes.empty());
    }

    private static Metric seconds(String name, String description) {
        return new Metric("tidings." + name, "s", description, Kind.SECONDS, Attributes.empty());
    }

    private Metric with(String attribute, String value) {
        return new Metric(
                name,
                unit,
                description,
                kind,
                Attributes.builder().put(attribute, value).build());
    }

    private static Metric entries(String from) {
        return sum("entry.sent", "{entry}", "Entries that were sent").with("tidings.entry.source", from);
    }

    private static Metric pages(String from) {
        return sum("page.served", "{page}", "Pages of the log that somebody got")
                .with("tidings.page.source", from);
    }

    /** The metric of a counter; a new counter does not compile without one. */
    static Metric of(Counter counter) {
        return switch (counter) {
            case SOCKETS -> now("socket.count", "{socket}", "Sockets and streams that are open");
            case SUBSCRIPTIONS -> now("subscription.count", "{subscription}", "Subscriptions of those sockets");
            case STREAMS -> now("stream.count", "{stream}", "Streams with a window");
            case BYTES -> now("memory.usage", "By", "Bytes that tidings.delivery.max-bytes bounds");
            case LAG_ENTRIES -> now("lag.entries", "{entry}", "Entries that subscriptions have yet to take");
            case LAG_BYTES -> now("lag.size", "By", "Bytes in windows that subscriptions have yet to take");
            case FRAMES_SENT -> sum("frame.sent", "{frame}", "Messages that sockets took");
            case BYTES_SENT -> sum("frame.io", "By", "Bytes of those messages");
            case FRAMES_MERGED -> sum("frame.merged", "{frame}", "Pieces of text that were joined, for lag");
            case SIGNALS_DROPPED -> sum("signal.dropped", "{signal}", "Signals that a subscription missed, for lag");
            case RUNNING_TEXTS_CUT ->
                sum("text.cut", "{text}", "Texts in progress not shown to whoever joins, for want of room");
            case ENTRIES_FROM_WINDOW -> entries("window");
            case ENTRIES_FROM_LOG -> entries("log");
            case PAGE_READS -> pages("read");
            case PAGES_SHARED -> pages("shared");
            case SENDS -> sum("send.count", "{send}", "Sends that ended well");
            case SEND_NANOS -> seconds("send.time", "How long those took");
            case VERIFICATIONS -> sum("verification.count", "{verification}", "Signatures that were verified");
            case VERIFICATION_NANOS -> seconds("verification.time", "How long those took");
            case PRESSURES -> sum("pressure.count", "{event}", "How often the bound on all bytes was reached");
            case FAULTS -> sum("fault.count", "{fault}", "Faults that were survived");
        };
    }
}
