package dev.tidings.bench;

/**
 * Sockets that come behind: they take a whole log, or what they missed while they were away. The times are those from
 * connecting a socket until it has the last event.
 *
 * <p>Threads: one.
 */
final class Replays {
    private static final int WINDOW = 2_000;
    private static final int REPLAYED_BYTES = 500;
    private static final int PER_CALL = 500;
    private static final int MISSED = 50;

    private Replays() {}

    /** Sockets that each take a whole log; from the window if it is no longer than that. */
    static void replay(TidingsTarget target, Settings settings, int usualEvents, int usualSockets, Result result) {
        int events = settings.eventsOr(usualEvents);
        int sockets = settings.socketsOr(usualSockets);
        target.begin();
        append(target, events, REPLAYED_BYTES);
        try (Swarm keepsWindow = new Swarm(1);
                Swarm swarm = new Swarm(1)) {
            if (events <= WINDOW) {
                keepsWindow.startAt(0);
                keepsWindow.open(target.base(), target.path(), 1, 0, () -> target.subscriptions(0));
                keepsWindow.await("the window is warm", () -> keepsWindow.slowest() >= events);
            }
            swarm.startAt(0);
            swarm.timeUntil(events);
            Span span = Span.of(target);
            swarm.open(target.base(), target.path(), sockets, 0, () -> target.subscriptions(0));
            swarm.await("everybody has everything", () -> swarm.events() >= (long) events * sockets);
            span.ended(result.with("sockets", sockets).with("events", events), swarm.events());
            result.latencies(swarm.stopTiming()).ended(target, keepsWindow, swarm);
        }
    }

    /** All sockets are cut at once and come back where they were. */
    static void storm(TidingsTarget target, Settings settings, Result result) {
        int sockets = settings.socketsOr(5_000);
        target.begin();
        append(target, 200, settings.frameBytes());
        try (Swarm swarm = new Swarm(1)) {
            swarm.startAt(200);
            swarm.open(target.base(), target.path(), sockets, 200, () -> target.subscriptions(200));
            append(target, MISSED, settings.frameBytes());
            swarm.await("everybody has everything", () -> swarm.slowest() >= 200 + MISSED);
        }
        append(target, MISSED, settings.frameBytes());
        int from = 200 + MISSED;
        try (Swarm swarm = new Swarm(1)) {
            swarm.startAt(from);
            swarm.timeUntil(from + MISSED);
            Span span = Span.of(target);
            swarm.open(target.base(), target.path(), sockets, from, () -> target.subscriptions(from));
            swarm.await("everybody is back", () -> swarm.events() >= (long) MISSED * sockets);
            result.with("sockets", sockets)
                    .with("sockets_per_s", sockets / span.seconds())
                    .with("cpu_us_per_socket", span.cpuSeconds() * 1e6 / sockets);
            span.ended(result, swarm.events());
            result.latencies(swarm.stopTiming()).ended(target, swarm);
        }
    }

    private static void append(TidingsTarget target, int events, int bytes) {
        for (int left = events; left > 0; left -= PER_CALL) {
            target.publish(Math.min(left, PER_CALL), Event.now(), bytes);
        }
    }
}
