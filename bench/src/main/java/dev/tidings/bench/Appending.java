package dev.tidings.bench;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Entries that are stored, and nothing else: of one session, one transaction after the other, each on the disk before the
 * next; then the same rows into a table of the same kind with plain batched JDBC.
 *
 * <p>Tidings' side has all that a host's call has: JTA, Jakarta Persistence, the numbering. What is compared is the time from
 * a transaction's begin to its end, which the server tells; the signed HTTP requests that ask for the transactions are in
 * {@code events_per_s} and in the processor time.
 *
 * <p>Threads: one.
 */
final class Appending {
    private static final int EVENTS_PER_CALL = 100;

    private Appending() {}

    static void measure(TidingsTarget target, Settings settings, Result result) {
        int perCall = settings.perCallOr(EVENTS_PER_CALL);
        List<String> session = target.newSessions(1);
        LongAdder nanos = new LongAdder();
        Runnable ours = () -> nanos.add(target.append(session, perCall, Event.now(), settings.frameBytes(), false));
        repeat(ours, settings.warmUpSeconds());
        nanos.reset();
        Span span = Span.of(target);
        long events = perCall * repeat(ours, settings.seconds());
        span.ended(result.with("per_transaction", perCall).with("events_per_s", events / span.seconds()), events);
        double inTransactions = events / (nanos.sum() / 1e9);
        double plain = plain(target, settings, perCall);
        result.with("transaction_events_per_s", inTransactions)
                .with("jdbc_events_per_s", plain)
                .with("ratio_to_jdbc", inTransactions / plain)
                .ended(target);
    }

    private static double plain(TidingsTarget target, Settings settings, int perCall) {
        Path folder = Targets.newFolder();
        // The same server; of the file database one of its own, as nobody else may open Tidings'.
        String url = target.database()
                .map(Postgresql::url)
                .orElse("jdbc:h2:async:" + folder.resolve("plain") + ";WRITE_DELAY=0");
        String user = target.database().isPresent() ? Postgresql.USER : "";
        try (PlainJdbc plain = PlainJdbc.open(url, user, settings.frameBytes())) {
            Runnable theirs = () -> plain.insert(perCall);
            repeat(theirs, settings.warmUpSeconds());
            long start = System.nanoTime();
            long calls = repeat(theirs, settings.seconds());
            return calls * perCall / ((System.nanoTime() - start) / 1e9);
        } finally {
            Targets.delete(folder);
        }
    }

    private static long repeat(Runnable call, int seconds) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        long calls = 0;
        do {
            call.run();
            calls++;
        } while (System.nanoTime() < end);
        return calls;
    }
}
