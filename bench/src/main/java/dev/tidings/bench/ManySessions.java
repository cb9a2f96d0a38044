package dev.tidings.bench;

import dev.tidings.blackbox.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Many sessions that have one socket each, or none.
 *
 * <p>Threads: one.
 */
final class ManySessions {
    /** Sessions that are written to in one transaction. */
    private static final int TOGETHER = 100;

    private static final int PIECES_A_SECOND = 50;

    private ManySessions() {}

    /** An event for each session in turn, as fast as a window of events lets. */
    static void events(TidingsTarget target, Settings settings, Result result) {
        List<String> sessions = target.newSessions(settings.socketsOr(1000));
        try (Swarm swarm = new Swarm(1)) {
            open(target, sessions, swarm);
            long published = saturate(target, settings, sessions, swarm, settings.warmUpSeconds(), 0);
            swarm.startTiming();
            long before = swarm.events();
            Span span = Span.of(target);
            saturate(target, settings, sessions, swarm, settings.seconds(), published);
            span.ended(
                    result.with("sockets", sessions.size()).with("bytes", settings.frameBytes()),
                    swarm.events() - before);
            result.latencies(swarm.stopTiming()).ended(target, swarm);
        }
    }

    private static long saturate(
            TidingsTarget target, Settings settings, List<String> sessions, Swarm swarm, int seconds, long before) {
        long published = before;
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (System.nanoTime() < end) {
            for (int from = 0; from < sessions.size(); from += TOGETHER) {
                List<String> slice = sessions.subList(from, Math.min(sessions.size(), from + TOGETHER));
                long enough = published - (long) TOGETHER * settings.window();
                swarm.await("the sockets come near", () -> swarm.events() >= enough);
                target.append(slice, settings.perCallOr(1), Event.now(), settings.frameBytes(), false);
                published += (long) slice.size() * settings.perCallOr(1);
            }
        }
        long all = published;
        swarm.await("everybody has everything", () -> swarm.events() >= all);
        return all;
    }

    /** Each session's agent speaks, fifty pieces of text a second, which are stored as they come. */
    static void tokens(TidingsTarget target, Settings settings, Result result) {
        List<String> sessions = target.newSessions(settings.socketsOr(200));
        int pieces = PIECES_A_SECOND * settings.seconds();
        try (Swarm swarm = new Swarm(1)) {
            open(target, sessions, swarm);
            Span span = Span.of(target);
            List<CompletableFuture<Answer>> turns = sessions.stream()
                    .map(session -> target.account()
                            .messageAsync(session, "/stream " + pieces + " 20 " + 1000 / PIECES_A_SECOND))
                    .toList();
            turns.forEach(CompletableFuture::join);
            double seconds = span.seconds();
            // The words of the user and the whole answer.
            long events = 2L * sessions.size();
            swarm.await("everybody has the whole answer", () -> swarm.events() >= events);
            result.with("sockets", sessions.size())
                    .with("deltas_per_s", (double) pieces * sessions.size() / seconds)
                    .with("pace", settings.seconds() / seconds);
            span.ended(result, swarm.partials() + swarm.events()).ended(target, swarm);
        }
    }

    /** Pieces of text for many sessions in one transaction, as the engine stores those that come at the same time. */
    static void deltas(TidingsTarget target, Settings settings, Result result) {
        List<String> sessions = target.newSessions(settings.socketsOr(200));
        int each = settings.perCallOr(1);
        long perCall = (long) each * sessions.size();
        storing(target, settings, sessions, each, settings.warmUpSeconds());
        Span span = Span.of(target);
        long calls = storing(target, settings, sessions, each, settings.seconds());
        result.with("sessions", sessions.size()).with("per_transaction", perCall);
        result.with("events_per_s", calls * perCall / span.seconds());
        span.ended(result, calls * perCall).ended(target);
    }

    private static long storing(TidingsTarget target, Settings settings, List<String> sessions, int each, int seconds) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        long calls = 0;
        do {
            target.append(sessions, each, Event.now(), settings.frameBytes(), true);
            calls++;
        } while (System.nanoTime() < end);
        return calls;
    }

    private static void open(TidingsTarget target, List<String> sessions, Swarm swarm) {
        List<List<byte[]>> messages = new ArrayList<>();
        for (String session : sessions) {
            messages.add(List.of(target.subscription(session, 0)));
        }
        var next = messages.iterator();
        swarm.open(target.base(), target.path(), sessions.size(), 0, next::next);
    }
}
