package dev.tidings.bench;

import java.util.ArrayList;
import java.util.List;

/**
 * Subscriptions on sockets that are open: each is a signed message that is checked, judged against the roles and answered.
 *
 * <p>They are signed before the time runs. What counts is how many a second of one processor, so the server's processor time
 * is what divides. A subscription's sessions have no other subscriber. Connecting is reported apart.
 *
 * <p>Threads: one.
 */
final class Subscribing {
    private static final int EACH = 50;

    private Subscribing() {}

    static void measure(TidingsTarget target, Settings settings, Result result) {
        int sockets = settings.socketsOr(100);
        List<String> sessions = target.newSessions(EACH);
        if (settings.warmUpSeconds() > 0) {
            round(target, sessions, sockets, new Result(settings, target.name(), "", 0));
        }
        round(target, sessions, sockets, result);
    }

    private static void round(TidingsTarget target, List<String> sessions, int sockets, Result result) {
        try (Swarm swarm = new Swarm(0)) {
            Span connecting = Span.of(target);
            swarm.open(target.base(), target.path(), sockets, -1, List::of);
            result.with("connects_per_core_s", sockets / connecting.cpuSeconds())
                    .with("connect_cpu_us", connecting.cpuSeconds() * 1e6 / sockets);
            List<List<byte[]>> messages = new ArrayList<>();
            for (int i = 0; i < sockets; i++) {
                messages.add(sessions.stream()
                        .map(session -> target.subscription(session, 0))
                        .toList());
            }
            Span span = Span.of(target);
            swarm.subscribe(messages);
            long all = (long) sockets * sessions.size();
            result.with("sockets", sockets)
                    .with("subscriptions_per_s", all / span.seconds())
                    .with("subscriptions_per_core_s", all / span.cpuSeconds());
            span.ended(result, all).ended(target, swarm);
        }
    }
}
