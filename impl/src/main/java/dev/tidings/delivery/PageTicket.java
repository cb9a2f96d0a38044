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
    private final long after;

    // Confined, both of them: under the outbox's lock.
    private @Nullable Page page;
    private int next;

    // Volatile: written once, under the outbox's lock, and read by the page reader.
    private volatile boolean dropped;

    PageTicket(Outbox outbox, Subscription owner, Stream stream) {
        this.outbox = outbox;
        this.owner = owner;
        this.stream = stream;
        this.after = owner.cursor();
    }

    Subscription owner() {
        return owner;
    }

    /** Asks for the page; not under a lock. */
    void request(PageReader pages) {
        pages.request(stream, after, this);
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
        page = arrived;
    }

    void drop() {
        dropped = true;
        page = null;
    }

    /** Whether everything was taken. */
    boolean isEmpty() {
        return page != null && next == page.entries().size();
    }

    /** Moves entries into the batch. {@link Pull#DRY}: all of the page was taken. */
    Pull take(Bookmark bookmark, Batch batch) {
        if (page == null) {
            return Pull.DRY;
        }
        Bookmark.Verdict verdict = new Bookmark.Verdict();
        next = bookmark.takePage(page, next, batch, verdict);
        return verdict.pull;
    }
}
