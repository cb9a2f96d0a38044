package dev.tidings.delivery;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tidings.StoredEntry;
import dev.tidings.spi.Counters.Counter;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * One channel on this node: its window, who watches it, and how far its log is known to reach.
 *
 * <p>What commits and what is published waits in the {@link Inbox}; one pump at a time, on the executor, puts it into
 * the window and wakes the subscriptions. The head moves by one entry at a time, or jumps when a hole is larger than
 * the window; nothing is ordered by when a hint came (law 13).
 *
 * <p>Threads: any.
 */
final class Stream {
    private static final Logger LOG = System.getLogger("dev.tidings.delivery");
    private static final long BEHIND_A_HOLE = -1;

    private final EngineLock lock = new EngineLock(EngineLock.Rank.STREAM);
    private final Channel channel;
    private final boolean durable;
    private final int maxHole;
    private final Tasks tasks;
    private final PageReader pages;
    private final HeadReader heads;
    private final Watch watch;
    // Made once: handing it over must need no memory.
    private final Runnable pump = this::pump;

    @GuardedBy("lock")
    private final Content content;

    @GuardedBy("lock")
    private final Inbox inbox;

    @GuardedBy("lock")
    private final Roll subscriptions = new Roll(Roll.Of.STREAM);

    @GuardedBy("lock")
    private boolean pumping;

    @GuardedBy("lock")
    private boolean filling;

    // Until the log has told its head: what hints say of a stream that was just made, or lingered, may be old.
    @GuardedBy("lock")
    private boolean learning;

    @GuardedBy("lock")
    private boolean readFailed;

    @GuardedBy("lock")
    private long wokenIndex;

    @GuardedBy("lock")
    private long wokenHead = -1;

    // Something failed on the way; what is left of it is done at a tick, not at once and again and again.
    @GuardedBy("lock")
    private boolean stumbled;

    @GuardedBy("lock")
    private boolean mending;

    // Nobody comes back to it.
    @GuardedBy("lock")
    private boolean dropped;

    // What the node's budget counts for it.
    @GuardedBy("lock")
    private long counted;

    Stream(Channel channel, DeliveryLimits limits, Tasks tasks, PageReader pages, HeadReader heads, Watch watch) {
        this.channel = channel;
        this.durable = channel.key().kind().durable();
        this.maxHole = limits.windowMaxFrames();
        this.tasks = tasks;
        this.pages = pages;
        this.heads = heads;
        this.watch = watch;
        this.content = new Content(limits, durable);
        this.inbox = new Inbox(limits.windowMaxFrames(), limits.windowMaxBytes());
    }

    Channel channel() {
        return channel;
    }

    boolean durable() {
        return durable;
    }

    // ---- who watches

    /**
     * What a subscription that was added has to know: the index of the first item for it, the number of the first signal for
     * it, and whether it is alone.
     */
    record Added(long nextIndex, long nextSignal, boolean first) {}

    /** Adds a subscription. */
    Added add(Subscription subscription) {
        lock.lock();
        try {
            boolean first = subscriptions.isEmpty();
            subscriptions.add(subscription);
            learning |= first && durable;
            return new Added(content.nextIndex(), content.signals(), first);
        } finally {
            lock.unlock();
        }
    }

    /** Asks for the head: a new stream knows none, and one that lingered may have missed hints. */
    void learnHead() {
        if (durable) {
            heads.want(this);
        }
    }

    /** Takes a subscription away; true if it was the last one. */
    boolean remove(Subscription subscription) {
        lock.lock();
        try {
            return subscriptions.remove(subscription) && subscriptions.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    boolean watched() {
        lock.lock();
        try {
            return !subscriptions.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** The views of those who watch. */
    Set<String> views() {
        Set<String> views = new HashSet<>();
        lock.lock();
        try {
            subscriptions.copy().forEach(subscription -> views.add(subscription.view()));
        } finally {
            lock.unlock();
        }
        return views;
    }

    /** Whether it waits for the log to tell its head, for tests. */
    boolean learning() {
        lock.lock();
        try {
            return learning;
        } finally {
            lock.unlock();
        }
    }

    int watchers() {
        lock.lock();
        try {
            return subscriptions.size();
        } finally {
            lock.unlock();
        }
    }

    /** How far a subscription that stands there lags; the caller holds its outbox's lock. */
    Lag lag(Bookmark bookmark) {
        lock.lock();
        try {
            return new Lag(Math.max(0, content.head() - bookmark.cursor()), content.lagBytes(bookmark));
        } finally {
            lock.unlock();
        }
    }

    /** Entries, and bytes of the window, that are not taken yet. */
    record Lag(long entries, long bytes) {}

    /** Memory is short: keeps at most half of what it holds, and lets the log bring back what waits out of order. */
    void shrink() {
        lock.lock();
        try {
            inbox.dropStash();
            content.shrink(content.bytes() / 2);
            countLocked();
        } finally {
            lock.unlock();
        }
    }

    /** Nobody watches it and nobody will: lets go of everything. */
    void drop() {
        lock.lock();
        try {
            dropped = true;
            inbox.takeAll().forEach(this::letGo);
            watch.budget().add(-counted);
            counted = 0;
        } finally {
            lock.unlock();
        }
    }

    /** News that nobody will digest. */
    private void letGo(News news) {
        if (news instanceof News.Filled filled) {
            filled.page().release(watch.budget());
        }
    }

    /** The bytes that it holds, as the budget knows them, for tests. */
    long bytes() {
        lock.lock();
        try {
            assert dropped || counted == content.bytes() + inbox.bytes() : "bytes are counted where they live";
            return counted;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void countLocked() {
        if (!dropped) {
            long now = content.bytes() + inbox.bytes();
            watch.budget().add(now - counted);
            counted = now;
        }
    }

    /** Lets a subscription take what comes next; the caller holds its outbox's lock. */
    Pull pull(Bookmark bookmark, Batch batch) {
        lock.lock();
        try {
            return content.pull(bookmark, batch);
        } finally {
            lock.unlock();
        }
    }

    /** Lets a subscription take from a page of the log what the window does not hold; gives the offset of what is next. */
    int pullPage(Bookmark bookmark, Page page, int offset, Batch batch, Bookmark.Verdict verdict) {
        lock.lock();
        try {
            return content.pullPage(bookmark, page, offset, batch, verdict);
        } finally {
            lock.unlock();
        }
    }

    // ---- what comes in

    /** Entries were committed. */
    void hinted(List<StoredEntry> entries) {
        if (durable) {
            post(new News.Hint(entries));
        }
    }

    /** The log reaches at least so far. */
    void headSeen(long position) {
        boolean news;
        lock.lock();
        try {
            news = !content.begun() || position > content.head();
        } finally {
            lock.unlock();
        }
        if (news) {
            post(new News.HeadSeen(position));
        }
    }

    /** The log reaches so far: the answer to {@link #learnHead}. */
    void headLearnt(long position) {
        post(new News.HeadLearnt(position));
    }

    /** The head cannot be read now; it is tried again. */
    void headFailed() {
        post(new News.ReadFailed());
    }

    /** Something is shown. */
    void published(Broadcast broadcast) {
        post(new News.Cast(broadcast));
    }

    /** Reads what is missing behind the head. */
    private final class Filling implements PageReader.Waiter {
        private final long after;

        Filling(long after) {
            this.after = after;
        }

        @Override
        public long after() {
            return after;
        }

        @Override
        public boolean wanted() {
            return true;
        }

        @Override
        public void arrived(Page page) {
            page.hold(watch.budget());
            post(new News.Filled(page));
        }

        @Override
        public boolean failed() {
            return fillingFailed();
        }
    }

    /** The database has trouble: what is published does not wait for it any longer. */
    private boolean fillingFailed() {
        boolean goOn;
        lock.lock();
        try {
            goOn = !subscriptions.isEmpty();
            filling = goOn;
        } finally {
            lock.unlock();
        }
        post(new News.ReadFailed());
        return goOn;
    }

    private void post(News news) {
        boolean start;
        lock.lock();
        try {
            if (dropped) {
                letGo(news);
                return;
            }
            Broadcast overflow = inbox.addOrOverflow(news);
            if (overflow != null) {
                content.overflow(overflow);
                watch.tally().add(Counter.SIGNALS_DROPPED, 1);
            }
            countLocked();
            start = !pumping;
            pumping = true;
        } finally {
            lock.unlock();
        }
        if (start) {
            startPump();
        }
    }

    private void startPump() {
        if (!tasks.run(pump)) {
            lock.lock();
            try {
                pumping = false;
            } finally {
                lock.unlock();
            }
        }
    }

    /** Starts the pump if the executor had refused it. */
    void tick() {
        boolean start;
        lock.lock();
        try {
            start = !pumping && (!inbox.isEmpty() || stumbled);
            pumping |= start;
            mending |= start && stumbled;
        } finally {
            lock.unlock();
        }
        if (start) {
            startPump();
        }
    }

    // ---- the pump

    private void pump() {
        try {
            while (round()) {
                watch.relief().run();
            }
        } catch (RuntimeException | Error trouble) {
            stumble();
            watch.trouble().survived(trouble, "a stream stumbled");
        }
    }

    /** Digests what came; false if nothing did. */
    private boolean round() {
        List<News> news;
        lock.lock();
        try {
            news = inbox.takeAll();
            if (news.isEmpty() && !mending) {
                pumping = false;
                return false;
            }
            if (mending) {
                mending = false;
                stumbled = false;
                // Whoever could not be woken before is woken now.
                wokenIndex = -1;
            }
            countLocked();
        } finally {
            lock.unlock();
        }
        for (News one : news) {
            try {
                digest(one);
            } catch (RuntimeException | Error trouble) {
                // By itself: what comes behind is not lost with it.
                watch.trouble().guarded(() -> lost(one), "a stream could not let go of its news");
                watch.trouble().survived(trouble, "a stream could not digest its news");
            }
        }
        settle();
        return true;
    }

    /** News could not be digested: entries are read from the log again, a signal is lost for everybody. */
    private void lost(News news) {
        lock.lock();
        try {
            stumbled = true;
            if (news instanceof News.Hint hint) {
                content.reaches(hint.entries().get(hint.entries().size() - 1).position());
            } else if (news instanceof News.Filled) {
                filling = false;
            } else if (news instanceof News.Cast cast) {
                content.overflow(cast.broadcast());
            }
            countLocked();
        } finally {
            lock.unlock();
        }
    }

    private void stumble() {
        lock.lock();
        try {
            stumbled = true;
            pumping = false;
        } finally {
            lock.unlock();
        }
    }

    private void digest(News news) {
        if (news instanceof News.Hint hint) {
            digestHint(hint.entries());
        } else if (news instanceof News.Filled filled) {
            digestPage(filled.page());
        } else {
            lock.lock();
            try {
                if (news instanceof News.HeadSeen seen) {
                    content.beginAt(seen.position());
                    content.reaches(seen.position());
                } else if (news instanceof News.HeadLearnt learnt) {
                    content.beginAt(learnt.position());
                    content.reaches(learnt.position());
                    inbox.place(content.knownHead());
                    learning = false;
                    readFailed = false;
                } else if (news instanceof News.ReadFailed) {
                    readFailed = true;
                } else if (news instanceof News.Cast cast) {
                    // What waits is not overtaken by what comes later, even if the reason to wait has gone.
                    if (waitLocked() || inbox.holdsAny()) {
                        inbox.hold(cast.broadcast(), learning ? Inbox.UNPLACED : content.knownHead());
                    } else {
                        content.show(cast.broadcast());
                    }
                }
                countLocked();
            } finally {
                lock.unlock();
            }
        }
    }

    private void digestHint(List<StoredEntry> entries) {
        List<StoredEntry> next = entries;
        while (next != null) {
            long from = reach(next);
            if (from == BEHIND_A_HOLE) {
                return;
            }
            List<Shown> shown = translate(next, from);
            lock.lock();
            try {
                appendLocked(shown);
                next = inbox.unstashOrNull(content.head());
                countLocked();
            } finally {
                lock.unlock();
            }
        }
    }

    /** The head, if the hint goes on from there; else notes the hole. */
    private long reach(List<StoredEntry> hint) {
        long first = hint.get(0).position();
        lock.lock();
        try {
            // Whatever comes before a committed entry has committed (law 3).
            content.beginAt(first - 1);
            content.reaches(hint.get(hint.size() - 1).position());
            if (first > content.head() + 1) {
                inbox.stash(hint);
                countLocked();
                return BEHIND_A_HOLE;
            }
            return content.head();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Adds entries as far as they are known of, each behind the broadcasts that were published before it.
     *
     * <p>A page may reach further than what was known when it was asked for. What is behind that comes in its own turn:
     * broadcasts before it, the pieces of its own message for example, may still be on their way.
     */
    @GuardedBy("lock")
    private void appendLocked(List<Shown> entries) {
        for (Shown entry : entries) {
            if (entry.position() > content.knownHead()) {
                return;
            }
            if (entry.position() > content.head()) {
                inbox.takeHeld(content.head()).forEach(content::show);
                content.append(List.of(entry));
            }
        }
    }

    private void digestPage(Page page) {
        List<StoredEntry> stashed;
        page.release(watch.budget());
        lock.lock();
        try {
            filling = false;
            readFailed = false;
            if (page.broken()) {
                // Whoever needs what is missing finds the same hole at its own cursor, and is told.
                jumpLocked();
            }
            appendLocked(page.entries());
            stashed = inbox.unstashOrNull(content.head());
            countLocked();
        } finally {
            lock.unlock();
        }
        if (stashed != null) {
            digestHint(stashed);
        }
    }

    /** After a round: reads what is missing, shows what waited for it, wakes everybody. */
    private void settle() {
        boolean read = false;
        long after;
        List<Subscription> awake;
        lock.lock();
        try {
            if (content.hole() > 0) {
                if (subscriptions.isEmpty() || content.hole() > maxHole) {
                    jumpLocked();
                } else if (!stumbled) {
                    read = !filling;
                    filling = true;
                }
            }
            if (!waitLocked()) {
                inbox.takeHeld().forEach(content::show);
            }
            after = content.head();
            boolean more = content.nextIndex() != wokenIndex || content.head() != wokenHead;
            awake = more ? subscriptions.copy() : List.of();
            wokenIndex = content.nextIndex();
            wokenHead = content.head();
            countLocked();
        } finally {
            lock.unlock();
        }
        if (!awake.isEmpty()) {
            Slices.wake(awake, tasks, watch, this::leftUndone);
        }
        if (read && !watch.trouble().guarded(() -> fill(after), "a hole could not be filled")) {
            leftUndone();
        }
    }

    /** Something is tried again at the next tick. */
    private void leftUndone() {
        lock.lock();
        try {
            stumbled = true;
        } finally {
            lock.unlock();
        }
    }

    private void fill(long after) {
        boolean asked = false;
        try {
            pages.request(this, after, new Filling(after));
            asked = true;
        } finally {
            if (!asked) {
                lock.lock();
                try {
                    filling = false;
                } finally {
                    lock.unlock();
                }
            }
        }
    }

    /** Whether broadcasts wait, so as not to overtake entries that are still to be read. */
    @GuardedBy("lock")
    private boolean waitLocked() {
        return !content.begun() || ((learning || content.hole() > 0) && !readFailed);
    }

    /** Gives the window up; subscriptions read what they lack from the log. */
    @GuardedBy("lock")
    private void jumpLocked() {
        // In their places between the entries that are jumped over: whoever reads those from the log gets them there.
        for (Inbox.Held held : inbox.takePlaced(content.knownHead())) {
            content.show(held.broadcast(), held.behind());
        }
        content.jump();
        inbox.dropStash();
    }

    /** What shows the entries behind a position. Not under the lock: translators are foreign. */
    private List<Shown> translate(List<StoredEntry> entries, long after) {
        List<Shown> shown = new ArrayList<>(entries.size());
        for (StoredEntry entry : entries) {
            if (entry.position() > after) {
                shown.add(translate(entry));
            }
        }
        return shown;
    }

    /**
     * What shows an entry. A translator that fails has a bug; the entry is passed over with an error in the log of the
     * server, so that one bad event does not stop its stream for good. Only a machine that is out of memory is no fault
     * of the event; then it is tried again.
     */
    Shown translate(StoredEntry entry) {
        assert EngineLock.noneHeld() : "a translator is called under a lock";
        try {
            return Shown.of(entry.position(), entry.seq(), channel.translator().frames(entry));
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError bug) {
            LOG.log(Level.ERROR, "an event cannot be shown: {0}, position {1}", channel.key(), entry.position());
            watch.trouble().survived(bug, "a translator failed");
            return Shown.of(entry.position(), List.of());
        }
    }

    /** The state, for people. */
    @Override
    public String toString() {
        lock.lock();
        try {
            return "Stream[" + channel.key() + ", " + content + ", " + subscriptions.size() + " subscriptions"
                    + (pumping ? ", pumping" : "") + (filling ? ", filling" : "") + "]";
        } finally {
            lock.unlock();
        }
    }
}
