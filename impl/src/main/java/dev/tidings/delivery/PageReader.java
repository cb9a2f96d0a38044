package dev.tidings.delivery;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tidings.StoredEntry;
import dev.tidings.spi.Counters.Counter;
import dev.tidings.spi.EventLog;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Pages of the log, read once for all who want the same one at the same time or shortly after.
 *
 * <p>A read that fails, or finds nothing where there must be something, is tried again after {@code readRetry}, never
 * at once; those who no longer want the page are dropped.
 *
 * <p>Threads: any.
 */
final class PageReader {
    private static final Logger LOG = System.getLogger("dev.tidings.delivery");

    private static final long WARN_EVERY_NANOS = 10_000_000_000L;

    /** Somebody who knows that the log goes on behind a position and wants to see what is there. */
    interface Waiter {

        /** The position behind which it wants something. */
        long after();

        /** Whether the page is still of use; cheap, takes no lock. */
        boolean wanted();

        /** Here it is. It holds an entry behind {@link #after}, or is broken there. */
        void arrived(Page page);

        /** The read failed and is tried again, if it is still of use, which is what this returns. */
        boolean failed();
    }

    /** Where a page begins. */
    record Place(Stream stream, long after) {}

    /** One read, from the first request to the answer. */
    private static final class Flight {
        final Place place;
        // Confined, all of them: under the reader's lock.
        List<Waiter> waiters = new ArrayList<>();
        List<Waiter> late = new ArrayList<>();
        boolean reading;
        long retryAt;

        Flight(Place place) {
            this.place = place;
        }
    }

    private final EngineLock lock = new EngineLock(EngineLock.Rank.LEAF);
    private final DeliveryLimits limits;
    private final EventLog log;
    private final ReadLanes lanes;
    private final LongSupplier nanoTime;
    private final Watch watch;

    @GuardedBy("lock")
    private final Map<Place, Flight> flights = new HashMap<>();

    @GuardedBy("lock")
    private final RecentPages recent;

    @GuardedBy("lock")
    private List<Flight> retries = new ArrayList<>();

    @GuardedBy("lock")
    private boolean warned;

    @GuardedBy("lock")
    private long warnedAt;

    PageReader(DeliveryLimits limits, EventLog log, ReadLanes lanes, LongSupplier nanoTime, Watch watch) {
        this.limits = limits;
        this.log = log;
        this.lanes = lanes;
        this.nanoTime = nanoTime;
        this.watch = watch;
        this.recent = new RecentPages(limits.pageMaxBytes());
    }

    /**
     * Asks for a page that shows what is behind a waiter's position, which is known to be something.
     *
     * @param from where to begin; at or before that position
     */
    void request(Stream stream, long from, Waiter waiter) {
        long now = nanoTime.getAsLong();
        Flight fresh = null;
        Page known;
        lock.lock();
        try {
            Place place = new Place(stream, from);
            known = recent.findOrNull(place, now);
            while (known != null && known.last() <= waiter.after()) {
                place = new Place(stream, known.last());
                known = recent.findOrNull(place, now);
            }
            if (known != null) {
                known.hold(watch.budget());
            } else {
                fresh = joinLocked(place, waiter);
            }
        } finally {
            lock.unlock();
        }
        if (known != null) {
            watch.tally().add(Counter.PAGES_SHARED, 1);
            tell(waiter, known);
            known.release(watch.budget());
        } else if (fresh != null) {
            submit(fresh);
        }
    }

    /** Lets a waiter wait at a place; the flight, if it has to be started. */
    @GuardedBy("lock")
    private @Nullable Flight joinLocked(Place place, Waiter waiter) {
        Flight flight = flights.get(place);
        boolean fresh = flight == null;
        if (flight == null) {
            flight = new Flight(place);
            flights.put(place, flight);
        } else {
            watch.tally().add(Counter.PAGES_SHARED, 1);
        }
        // A read that runs may have begun before what this waiter knows of had committed.
        (flight.reading ? flight.late : flight.waiters).add(waiter);
        return fresh ? flight : null;
    }

    /** Tries failed reads again whose time has come, and forgets pages that nobody came for. */
    void tick() {
        long now = nanoTime.getAsLong();
        List<Flight> due = new ArrayList<>();
        List<Page> expired;
        lock.lock();
        try {
            expired = recent.expire(now);
            List<Flight> later = new ArrayList<>();
            for (Flight flight : retries) {
                (flight.retryAt - now <= 0 ? due : later).add(flight);
            }
            retries = later;
        } finally {
            lock.unlock();
        }
        expired.forEach(page -> page.release(watch.budget()));
        due.forEach(this::submit);
    }

    /** Memory is short: forgets the pages that are only kept in case somebody comes. */
    void forgetRecent() {
        List<Page> all;
        lock.lock();
        try {
            all = recent.clear();
        } finally {
            lock.unlock();
        }
        all.forEach(page -> page.release(watch.budget()));
    }

    private void submit(Flight flight) {
        lanes.submit(() -> read(flight));
    }

    private void read(Flight flight) {
        if (!begin(flight)) {
            return;
        }
        Page page = null;
        boolean empty = false;
        try {
            assert EngineLock.noneHeld() : "the log is read under a lock";
            watch.tally().add(Counter.PAGE_READS, 1);
            List<StoredEntry> entries = log.read(
                    flight.place.stream().channel().key(),
                    flight.place.after(),
                    entriesOf(flight.place),
                    limits.pageMaxBytes());
            empty = entries.isEmpty();
            if (!empty) {
                page = translate(flight.place, entries);
            }
        } catch (RuntimeException noDatabase) {
            warn(flight.place.stream().channel());
        } catch (Error fault) {
            // Memory that is short for a moment must not leave anybody waiting for ever.
            watch.trouble().survived(fault, "a page could not be read");
        }
        if (page != null) {
            deliver(flight, page);
        } else {
            retry(flight, empty);
        }
    }

    /** Up to the next round position: wherever readers begin, they come together there. */
    private int entriesOf(Place place) {
        return limits.pageMaxEntries() - (int) (place.after() % limits.pageMaxEntries());
    }

    /** Says so once in a while: with the log away, every reader finds out. */
    private void warn(Channel channel) {
        long now = nanoTime.getAsLong();
        boolean due;
        lock.lock();
        try {
            due = !warned || now - warnedAt > WARN_EVERY_NANOS;
            if (due) {
                warned = true;
                warnedAt = now;
            }
        } finally {
            lock.unlock();
        }
        if (due) {
            LOG.log(Level.WARNING, "pages of the log cannot be read now, among others of {0}", channel.key());
        }
    }

    /** The page up to the first entry that does not follow the one before; broken if that is the first. */
    private static Page translate(Place place, List<StoredEntry> entries) {
        List<Shown> shown = new ArrayList<>(entries.size());
        for (StoredEntry entry : entries) {
            if (entry.position() != place.after() + shown.size() + 1) {
                LOG.log(
                        Level.ERROR,
                        "the log has a hole: {0}, behind position {1}",
                        place.stream().channel().key(),
                        place.after() + shown.size());
                break;
            }
            shown.add(place.stream().translate(entry));
        }
        return new Page(place.after(), List.copyOf(shown));
    }

    /** False if nobody wants the page any longer. */
    private boolean begin(Flight flight) {
        lock.lock();
        try {
            flight.waiters.removeIf(waiter -> !waiter.wanted());
            flight.reading = !flight.waiters.isEmpty();
            if (!flight.reading) {
                flights.remove(flight.place);
            }
            return flight.reading;
        } finally {
            lock.unlock();
        }
    }

    private void deliver(Flight flight, Page page) {
        long now = nanoTime.getAsLong();
        List<Waiter> waiters;
        List<Page> dropped = List.of();
        page.hold(watch.budget());
        lock.lock();
        try {
            flights.remove(flight.place);
            waiters = flight.waiters;
            waiters.addAll(flight.late);
            if (!page.broken()) {
                page.hold(watch.budget());
                dropped = recent.keep(flight.place, page, now);
            }
        } finally {
            lock.unlock();
        }
        dropped.forEach(old -> old.release(watch.budget()));
        for (Waiter waiter : waiters) {
            if (page.last() > waiter.after() || flight.place.after() == waiter.after()) {
                tell(waiter, page);
            } else if (waiter.wanted()) {
                // What is behind a hole that is not the waiter's own is read from its own place.
                long from = page.broken() ? waiter.after() : page.last();
                watch.trouble()
                        .guarded(() -> request(flight.place.stream(), from, waiter), "a page could not be asked for");
            }
        }
        page.release(watch.budget());
        watch.relief().run();
    }

    private void tell(Waiter waiter, Page page) {
        watch.trouble().guarded(() -> waiter.arrived(page), "a page could not be taken");
    }

    /** Reads again: at once if it was empty and somebody came while it ran, who may know of newer entries; else later. */
    private void retry(Flight flight, boolean empty) {
        boolean atOnce;
        List<Waiter> told = List.of();
        lock.lock();
        try {
            flight.reading = false;
            atOnce = empty && !flight.late.isEmpty();
            if (!atOnce) {
                // Taken out, since the same waiter may ask anew while it is being told.
                told = flight.waiters;
                flight.waiters = new ArrayList<>();
            }
            flight.waiters.addAll(flight.late);
            flight.late = new ArrayList<>();
        } finally {
            lock.unlock();
        }
        if (atOnce) {
            submit(flight);
            return;
        }
        List<Waiter> goOn = new ArrayList<>();
        for (Waiter waiter : told) {
            boolean[] stays = {true};
            watch.trouble().guarded(() -> stays[0] = waiter.failed(), "a failed read could not be told");
            if (stays[0]) {
                goOn.add(waiter);
            }
        }
        waitForRetry(flight, goOn);
    }

    private void waitForRetry(Flight flight, List<Waiter> goOn) {
        long retryAt = nanoTime.getAsLong() + limits.readRetry().toNanos();
        lock.lock();
        try {
            flight.waiters.addAll(goOn);
            if (flight.waiters.isEmpty()) {
                flights.remove(flight.place);
            } else {
                flight.retryAt = retryAt;
                retries.add(flight);
            }
        } finally {
            lock.unlock();
        }
    }

    /** How many reads are under way or wait, for tests. */
    int open() {
        lock.lock();
        try {
            return flights.size();
        } finally {
            lock.unlock();
        }
    }
}
