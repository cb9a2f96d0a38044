package dev.tidings.delivery;

import org.jspecify.annotations.Nullable;

/**
 * The one page that a socket has asked for or holds, and the subscription that it is for.
 *
 * <p>Threads: guarded by the lock of the outbox, but for what {@link PageReader.Waiter} says.
 */
final class PageTicket implements PageReader.Waiter {
    private final Outbox outbox;
    private final Subscription owner;
    private final Stream stream;
    private final long from;
    private final long after;
    private final Budget budget;

    // Confined, both of them: under the outbox's lock.
    private @Nullable Page page;
    private int next;

    // Volatile: written once, under the outbox's lock, and read by the page reader.
    private volatile boolean dropped;

    /** @param exact whether the cursor is where others read on as well, as the end of a page is */
    PageTicket(Outbox outbox, Subscription owner, Stream stream, Engine engine, boolean exact) {
        this.outbox = outbox;
        this.owner = owner;
        this.stream = stream;
        this.after = owner.cursor();
        // From a round position, so that cursors near each other share a page.
        this.from = exact ? after : after - after % engine.limits().pageMaxEntries();
        this.budget = engine.budget();
    }

    Subscription owner() {
        return owner;
    }

    /** Asks for the page; not under a lock. */
    void request(PageReader pages) {
        pages.request(stream, from, this);
    }

    @Override
    public long after() {
        return after;
    }

    @Override
    public boolean wanted() {
        return !dropped;
    }

    @Override
    public void arrived(Page arrived) {
        outbox.pageArrived(this, arrived);
    }

    @Override
    public boolean failed() {
        return !dropped;
    }

    void hold(Page arrived) {
        arrived.hold(budget);
        page = arrived;
        next = (int) (after - arrived.after());
    }

    void drop() {
        dropped = true;
        if (page != null) {
            page.release(budget);
            page = null;
        }
    }

    /** Whether everything was taken that the window does not hold. */
    boolean isEmpty() {
        return page != null && next == page.entries().size();
    }

    /** Moves entries into the batch. {@link Pull#DRY}: all of the page was taken, or the window has the rest. */
    Pull take(Bookmark bookmark, Batch batch) {
        if (page == null) {
            return Pull.DRY;
        }
        Bookmark.Verdict verdict = new Bookmark.Verdict();
        next = stream.pullPage(bookmark, page, next, batch, verdict);
        return verdict.pull;
    }
}
