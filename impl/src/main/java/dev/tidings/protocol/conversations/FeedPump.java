package dev.tidings.protocol.conversations;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tidings.event.EntriesStored;
import dev.tidings.event.SessionChanged;
import dev.tidings.spi.Feed;
import dev.tidings.spi.Feed.FeedRow;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/*
 * One thread at a time takes what has come and gives it numbers, in waves. Within a conversation the order is kept: its
 * entries and what happens in it between them alternate, and each change begins a wave. Across conversations everything that
 * fits goes into the same wave, so that a busy node takes few turns at the feed's head.
 *
 * A turn gives numbers to the entries and reserves some behind them, which what passes takes one by one. They are good until
 * rows with greater numbers have been shown; then the rest is left.
 */
/**
 * Gives numbers to what happens on this node, and puts it on the tape with what other nodes have numbered.
 *
 * <p>Threads: any; all but {@link #sweep} only enqueue. What is shown is worked on by one thread at a time, which may wait
 * for the database; if that is away, everything waits in its order.
 */
final class FeedPump {
    private static final System.Logger LOG = System.getLogger(FeedPump.class.getName());
    private static final int RESERVE = 256;
    private static final int BATCH = 1_000;
    private static final int PAGE_ROWS = 500;
    private static final int PAGE_BYTES = 1 << 20;
    private static final int MOST_BEHIND = 1_000;

    /** A wish to know what other nodes have numbered. */
    private record Look(CompletableFuture<Boolean> done) {}

    private final Feed feed;
    private final FeedTape tape;
    private final Happenings happenings;
    private final Executor executor;
    private final Presences presences;
    private final Consumer<EntriesStored> hints;
    private final Consumer<Numbered> farewells;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Backlog waiting = new Backlog();

    @GuardedBy("lock")
    private boolean running;

    // Confined, all of them: whoever runs.
    private final ArrayDeque<Wave> waves = new ArrayDeque<>();
    private long freeFrom;
    private long freeUntil;
    private boolean troubled;

    /**
     * A pump.
     *
     * @param presences the conversations of which the tape tells
     * @param executor runs what may block
     * @param hints told of what is on the tape
     * @param farewells told of each conversation that was deleted, by the event that says so
     */
    FeedPump(
            Feed feed,
            FeedTape tape,
            Happenings happenings,
            Presences presences,
            Executor executor,
            Consumer<EntriesStored> hints,
            Consumer<Numbered> farewells) {
        this.feed = feed;
        this.tape = tape;
        this.happenings = happenings;
        this.presences = presences;
        this.executor = executor;
        this.hints = hints;
        this.farewells = farewells;
    }

    /** A domain event has committed, or was signalled. */
    void happened(Object event) {
        lock.lock();
        try {
            waiting.add(event);
        } finally {
            lock.unlock();
        }
        start();
    }

    /** Sessions reach so far, as the log says. */
    void behind(Map<String, Long> sessions) {
        lock.lock();
        try {
            sessions.forEach((id, position) -> waiting.add(new Backlog.Hint(id, position)));
        } finally {
            lock.unlock();
        }
        start();
    }

    /** Has a look at what other nodes have numbered; also tries again what failed. */
    void look() {
        happened(new Look(new CompletableFuture<>()));
    }

    /** The same; done when it is done. */
    CompletableFuture<Boolean> catchUp() {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        happened(new Look(done));
        return done;
    }

    /** Numbers what the log has and nobody told of. Blocks. */
    void sweep() {
        behind(feed.behind(MOST_BEHIND));
    }

    private void start() {
        lock.lock();
        try {
            if (running || waiting.isEmpty()) {
                return;
            }
            running = true;
        } finally {
            lock.unlock();
        }
        submit();
    }

    private void submit() {
        boolean submitted = false;
        try {
            executor.execute(this::run);
            submitted = true;
        } catch (RejectedExecutionException stopping) {
            // What waits is taken up when something more comes, if ever.
        } catch (RuntimeException | Error noThread) {
            // A pool that cannot start a thread says so with an error; it is no fault of whoever tells what
            // happened, and the other protocols must still be told.
            LOG.log(System.Logger.Level.WARNING, "[conversations] no thread to number events; they wait");
        } finally {
            if (!submitted) {
                rest();
            }
        }
    }

    private void rest() {
        lock.lock();
        try {
            running = false;
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        boolean well = false;
        try {
            tape.begin();
            // What is left of a run that failed goes first; what waits is bounded only where it waits.
            if (waves.isEmpty()) {
                plan();
            }
            while (!waves.isEmpty()) {
                number(waves.getFirst());
                waves.removeFirst();
            }
            well = true;
            troubled = false;
        } catch (RuntimeException trouble) {
            if (!troubled) {
                LOG.log(System.Logger.Level.WARNING, "[conversations] events cannot be numbered now; they wait");
            }
            troubled = true;
        } finally {
            // After trouble the next event, or the next look, goes on.
            if (well && goesOn()) {
                submit();
            } else if (!well) {
                rest();
            }
        }
    }

    private boolean goesOn() {
        lock.lock();
        try {
            running = !waiting.isEmpty();
            return running;
        } finally {
            lock.unlock();
        }
    }

    // ---- whoever runs

    /** Puts what waits into waves. */
    private void plan() {
        Waves planned = new Waves(waves);
        for (int i = 0; i < BATCH; i++) {
            Object next = peekOrNull();
            if (next == null) {
                return;
            }
            if (next instanceof Backlog.Hint hint) {
                planned.entries(hint.sessionId(), hint.upTo());
            } else if (next instanceof Look look) {
                planned.look(look.done());
            } else {
                // Asks the directory now and then: if that fails, the event still waits.
                List<News> news = happenings.news(next);
                if (next instanceof EntriesStored stored) {
                    planned.entries(
                            stored.stream().id(), Backlog.Hint.of(stored).upTo());
                }
                if (next instanceof SessionChanged change && change.created()) {
                    tape.countNew(change.value().id());
                }
                news.forEach(planned::news);
            }
            taken();
        }
    }

    private @Nullable Object peekOrNull() {
        lock.lock();
        try {
            return waiting.peekOrNull();
        } finally {
            lock.unlock();
        }
    }

    private void taken() {
        lock.lock();
        try {
            waiting.remove();
        } finally {
            lock.unlock();
        }
    }

    private void number(Wave wave) {
        boolean turn = !wave.upTo().isEmpty() || wave.news().size() > freeUntil - freeFrom;
        boolean more = turn;
        while (more) {
            Feed.Turn given =
                    feed.number(wave.upTo(), Math.max(RESERVE, wave.news().size()));
            show(given.place());
            freeFrom = given.reservedFrom();
            freeUntil = given.reservedUntil();
            more = given.more();
        }
        if (!wave.looks().isEmpty()) {
            show(feed.head().place());
        }
        if (wave.news().size() > freeUntil - freeFrom) {
            // What was reserved was overtaken by rows of another node.
            number(new Wave(Map.of(), wave.news(), List.of()));
        } else {
            pass(wave.news());
        }
        wave.looks().forEach(done -> done.complete(true));
    }

    /** Puts rows on the tape up to a place. */
    private void show(long place) {
        while (tape.place() < place) {
            List<FeedRow> rows = feed.read(tape.place(), PAGE_ROWS, PAGE_BYTES);
            if (rows.isEmpty()) {
                throw new IllegalStateException("the feed ends before its head");
            }
            if (rows.get(rows.size() - 1).seq() >= freeFrom) {
                freeFrom = freeUntil;
            }
            tape.add(rows.stream().map(row -> Numbered.of(row, presences)).toList())
                    .forEach(hints);
        }
    }

    private void pass(List<News> news) {
        if (news.isEmpty()) {
            return;
        }
        List<Numbered> numbered = new ArrayList<>(news.size());
        for (News one : news) {
            if (one.type().equals(News.DELETED)) {
                tape.countDeleted(one.conversationId());
            } else {
                tape.count(one.conversationId());
            }
            numbered.add(Numbered.of(one, freeFrom++, presences));
        }
        List<EntriesStored> told = tape.add(numbered);
        // Whatever happens while it is told: it has its numbers, and gets no others when the wave is tried again.
        news.clear();
        numbered.stream().filter(Numbered::farewell).forEach(farewells);
        told.forEach(hints);
    }

    /** What is numbered in one turn: entries first. */
    record Wave(Map<String, Long> upTo, List<News> news, List<CompletableFuture<Boolean>> looks) {}
}
