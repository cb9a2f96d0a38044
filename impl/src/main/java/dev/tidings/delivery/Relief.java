package dev.tidings.delivery;

import dev.tidings.spi.Counters.Counter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * Makes room when the node holds more bytes than it may (law 4): first goes what is only kept in case somebody comes,
 * then the older halves of windows, those that fewest watch first, then the slowest sockets, which are told to come back.
 * Sockets that have been stuck for a while pay before anybody else if it is they who hold a lot: nobody's window shrinks for
 * them, and nobody waits for room that they do not give back (law 5).
 *
 * <p>Threads: any; one round at a time, on the executor.
 */
final class Relief {
    /** A send that takes longer is stuck, when room is short. */
    static final long STUCK_NANOS = Duration.ofSeconds(1).toNanos();

    /** The part of the bound which sends in flight may hold before stuck sockets pay first. */
    private static final int SENDING_PART = 8;

    /** The part of the bound that copies of large frames may take. */
    private static final int COPIES_PART = 4;

    private final Budget budget;
    private final CopyRoom copies;
    private final Tasks tasks;
    private final Watch watch;
    private final AtomicBoolean asked = new AtomicBoolean();

    private final List<Part> parts = new CopyOnWriteArrayList<>();

    /** An engine, as far as it can give something up. */
    record Part(Streams streams, PageReader pages, Supplier<List<Outbox>> outboxes) {}

    Relief(Budget budget, Tasks tasks, Tally tally, Trouble trouble) {
        this.budget = budget;
        this.tasks = tasks;
        this.copies = new CopyRoom(budget.max() / COPIES_PART);
        this.watch = new Watch(tally, trouble, budget, copies, this::ifNeeded);
    }

    Watch watch() {
        return watch;
    }

    /** Also makes room in that engine. */
    void add(Part part) {
        parts.add(part);
    }

    /** Starts a round if there is too much and none has been started. */
    void ifNeeded() {
        begin(budget.over());
    }

    /** The same, also if somebody waits for room that is not given back; call it about once a second. */
    void tick() {
        begin(budget.over() || copies.crowded());
    }

    private void begin(boolean needed) {
        if (needed && asked.compareAndSet(false, true) && !tasks.run(this::round)) {
            asked.set(false);
        }
    }

    private void round() {
        // Before the work: what is found too much while it goes on is looked at again.
        asked.set(false);
        watch.trouble().guarded(this::makeRoom, "no room could be made");
    }

    private void makeRoom() {
        if (!closeStuck(Outbox.Burden::copyRoom, copies::excess)) {
            // The first in line may need less by now, or nothing, and would find that out only when room is given back.
            copies.callNext();
        }
        if (!budget.over()) {
            return;
        }
        watch.tally().add(Counter.PRESSURES, 1);
        parts.forEach(part -> part.pages().forgetRecent());
        if (budget.excess() > 0) {
            parts.forEach(part -> part.streams().dropIdle());
        }
        closeStuck(
                Outbox.Burden::bytes, () -> Math.min(budget.excess(), budget.sending() - budget.max() / SENDING_PART));
        if (budget.excess() > 0) {
            shrink(all(part -> part.streams().all()));
        }
        if (budget.excess() > 0) {
            close(burden -> burden.bytes() > 0, budget::excess);
        }
    }

    private <T> List<T> all(Function<Part, Collection<T>> what) {
        List<T> all = new ArrayList<>();
        parts.forEach(part -> all.addAll(what.apply(part)));
        return all;
    }

    private record Watched(Stream stream, int watchers) {}

    private void shrink(List<Stream> all) {
        List<Watched> leastFirst = new ArrayList<>();
        all.forEach(stream -> leastFirst.add(new Watched(stream, stream.watchers())));
        leastFirst.sort(Comparator.comparingInt(Watched::watchers));
        for (Watched next : leastFirst) {
            if (budget.excess() <= 0) {
                return;
            }
            next.stream().shrink();
        }
    }

    private record Waiting(Outbox outbox, Outbox.Burden burden) {}

    /**
     * Those who have been sending for too long and hold some of it, until what they give back is enough.
     *
     * @return whether there were any
     */
    private boolean closeStuck(ToLongFunction<Outbox.Burden> what, LongSupplier excess) {
        return excess.getAsLong() > 0
                && close(burden -> what.applyAsLong(burden) > 0 && burden.sendingForNanos() >= STUCK_NANOS, excess);
    }

    private boolean close(Predicate<Outbox.Burden> whose, LongSupplier excess) {
        List<Waiting> slowestFirst = new ArrayList<>();
        for (Outbox outbox : all(part -> part.outboxes().get())) {
            Outbox.Burden burden = outbox.burden();
            if (whose.test(burden)) {
                slowestFirst.add(new Waiting(outbox, burden));
            }
        }
        slowestFirst.sort(
                Comparator.comparingLong((Waiting waiting) -> waiting.burden().sendingForNanos())
                        .thenComparingLong(waiting -> waiting.burden().bytes())
                        .reversed());
        for (Waiting next : slowestFirst) {
            if (excess.getAsLong() <= 0) {
                break;
            }
            next.outbox().giveUp();
        }
        return !slowestFirst.isEmpty();
    }
}
