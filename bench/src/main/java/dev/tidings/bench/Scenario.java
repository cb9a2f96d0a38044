package dev.tidings.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One thing that is measured.
 *
 * <p>Threads: one at a time.
 */
interface Scenario {

    /** Measures a target once and writes the figures down. */
    void measure(Target target, Settings settings, Result result);

    /** The scenarios of every target. */
    Map<String, Scenario> OF_ALL = Map.of(
            "fanout-100",
            (target, settings, result) ->
                    FanOut.measure(target, settings, FanOut.Plan.saturating(settings.socketsOr(100)), result),
            "fanout-1000",
            (target, settings, result) ->
                    FanOut.measure(target, settings, FanOut.Plan.saturating(settings.socketsOr(1000)), result),
            "paced-1000",
            (target, settings, result) ->
                    FanOut.measure(target, settings, FanOut.Plan.paced(settings.socketsOr(1000), FanOut.PACE), result),
            "stalled-10",
            FanOut::measureStalled);

    /** What only Tidings does. */
    Map<String, OfTidings> OF_TIDINGS = Map.ofEntries(
            Map.entry("sessions-1000", ManySessions::events),
            Map.entry("tokens", ManySessions::tokens),
            Map.entry("deltas", ManySessions::deltas),
            Map.entry("idle-10000", IdleSockets::measure),
            Map.entry(
                    "replay-2000", (target, settings, result) -> Replays.replay(target, settings, 2_000, 100, result)),
            Map.entry(
                    "replay-10000", (target, settings, result) -> Replays.replay(target, settings, 10_000, 10, result)),
            Map.entry(
                    "replay-1000000",
                    (target, settings, result) -> Replays.replay(target, settings, 1_000_000, 1, result)),
            Map.entry("storm-5000", Replays::storm),
            Map.entry("subscribe", Subscribing::measure),
            Map.entry("append", Appending::measure));

    /** A scenario that knows what it talks to. */
    interface OfTidings {
        void measure(TidingsTarget target, Settings settings, Result result);
    }

    /** The scenario of that name. */
    static Scenario of(String name) {
        Scenario common = OF_ALL.get(name);
        if (common != null) {
            return common;
        }
        OfTidings own = OF_TIDINGS.get(name);
        if (own == null) {
            throw new IllegalArgumentException("unknown scenario: " + name + "; there are " + names());
        }
        return (target, settings, result) -> {
            if (!(target instanceof TidingsTarget tidings)) {
                throw new IllegalArgumentException(name + " is about Tidings alone");
            }
            own.measure(tidings, settings, result);
        };
    }

    /** All names, in order. */
    static List<String> names() {
        Map<String, Object> all = new LinkedHashMap<>(OF_ALL);
        all.putAll(OF_TIDINGS);
        return all.keySet().stream().sorted().toList();
    }
}
