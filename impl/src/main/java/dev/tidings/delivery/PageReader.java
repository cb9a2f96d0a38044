package dev.tidings.delivery;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tidings.StoredEntry;
import dev.tidings.spi.EventLog;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Pages of the log, read once for all who want the same one at the same time.
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

        /** Whether the page is still of use; cheap, takes no lock. */
        boolean wanted();

        /** Here it is. */
        void arrived(Page page);

        /** The read failed and is tried again, if it is still of use, which is what this returns. */
        boolean failed();
    }

    private record Place(Stream stream, long after) {}

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

    @GuardedBy("lock")
    private final Map<Place, Flight> flights = new HashMap<>();

    @GuardedBy("lock")
    private List<Flight> retries = new ArrayList<>();

    @GuardedBy("lock")
    private boolean warned;

    @GuardedBy("lock")
    private long warnedAt;

    PageReader(DeliveryLimits limits, EventLog log, ReadLanes lanes, LongSupplier nanoTime) {
        this.limits = limits;
        this.log = log;
        this.lanes = lanes;
        this.nanoTime = nanoTime;
    }

    /** Asks for the page behind a position, which is known to hold something. */
    void request(Stream stream, long after, Waiter waiter) {
        Place place = new Place(stream, after);
        Flight fresh = null;
        lock.lock();
        try {
            Flight flight = flights.get(place);
            if (flight == null) {
                fresh = new Flight(place);
                flights.put(place, fresh);
                flight = fresh;
            }
            // A read that runs may have begun before what this waiter knows of had committed.
            (flight.reading ? flight.late : flight.waiters).add(waiter);
        } finally {
            lock.unlock();
        }
        if (fresh != null) {
            submit(fresh);
        }
    }

    /** Tries failed reads again whose time has come. */
    void tick() {
        long now = nanoTime.getAsLong();
        List<Flight> due = new ArrayList<>();
        lock.lock();
        try {
            List<Flight> later = new ArrayList<>();
            for (Flight flight : retries) {
                (flight.retryAt - now <= 0 ? due : later).add(flight);
            }
            retries = later;
        } finally {
            lock.unlock();
        }
        due.forEach(this::submit);
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
            List<StoredEntry> entries = log.read(
                    flight.place.stream().channel().key(),
                    flight.place.after(),
                    limits.pageMaxEntries(),
                    limits.pageMaxBytes());
            empty = entries.isEmpty();
            if (!empty) {
                page = translate(flight.place, entries);
            }
        } catch (RuntimeException | VirtualMachineError trouble) {
            // Memory that is short for a moment must not leave anybody waiting for ever.
            warn(flight.place.stream().channel());
        }
        if (page != null) {
            deliver(flight, page);
        } else {
            retry(flight, empty);
        }
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
        return new Page(place.after(), List.copyOf(shown), shown.isEmpty());
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
        List<Waiter> waiters;
        lock.lock();
        try {
            flights.remove(flight.place);
            waiters = flight.waiters;
            waiters.addAll(flight.late);
        } finally {
            lock.unlock();
        }
        waiters.forEach(waiter -> waiter.arrived(page));
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
            if (waiter.failed()) {
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
