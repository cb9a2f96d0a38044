package dev.tidings.delivery;

import org.jspecify.annotations.Nullable;

/**
 * The subscriptions of one socket that have something to send, in turn; and the one page that the socket may have, with
 * those who wait for theirs.
 *
 * <p>Threads: none of its own; guarded by the lock of the outbox.
 */
final class Turns {
    private static final int TURNS_OF_A_BATCH = 4;

    private final int batchMaxBytes;
    private final int quantum;

    // Confined, all of them: under the outbox's lock.
    private final Line ready = new Line();
    private final Line pageQueue = new Line();
    private @Nullable PageTicket ticket;

    Turns(int batchMaxBytes) {
        this.batchMaxBytes = batchMaxBytes;
        this.quantum = quantum(batchMaxBytes);
    }

    /** How much a turn may take of a batch of that size. */
    static int quantum(int batchMaxBytes) {
        return Math.max(1, batchMaxBytes / TURNS_OF_A_BATCH);
    }

    boolean isEmpty() {
        return ready.isEmpty() && pageQueue.isEmpty() && ticket == null;
    }

    /** Whether a drain would find something to do. */
    boolean hasWork() {
        return !ready.isEmpty() || (ticket == null && !pageQueue.isEmpty());
    }

    /** Puts a subscription in line, unless it is, or waits for its page. */
    void ready(Subscription subscription) {
        if (subscription.queue()) {
            ready.addLast(subscription);
        }
    }

    /** Takes a subscription out for good, with its page. */
    void remove(Subscription subscription) {
        ready.remove(subscription);
        pageQueue.remove(subscription);
        if (owns(subscription)) {
            dropTicket();
        }
    }

    /** Gives turns until the batch is full or nobody is ready; false if one of them cannot go on. */
    boolean take(Batch batch) {
        if (!takeOpenings(batch)) {
            return true;
        }
        for (Subscription next = ready.firstOrNull(); next != null; next = ready.firstOrNull()) {
            batch.beginTurn(quantum);
            Pull pull = next.pull(batch, owns(next) ? ticket : null);
            if (ticket != null && owns(next) && ticket.isEmpty()) {
                dropTicket();
            }
            if (pull == Pull.FULL) {
                return true;
            }
            ready.removeFirst();
            if (pull == Pull.TURN_OVER) {
                ready.addLast(next);
                continue;
            }
            next.unqueued();
            if (pull == Pull.GATED && owns(next)) {
                // It is read again when the gate opens; meanwhile others may have the socket's page.
                dropTicket();
            } else if (pull == Pull.BEHIND) {
                next.awaitPage(true);
                pageQueue.addLast(next);
            } else if (pull == Pull.BROKEN) {
                return false;
            }
        }
        return true;
    }

    /**
     * Takes openings before anything else, in the order in which they were read: nothing newer than what one shows is sent
     * before it (law 4). False if there is no more room.
     */
    private boolean takeOpenings(Batch batch) {
        batch.beginTurn(batchMaxBytes);
        for (Subscription next = ready.firstOrNull(); next != null; next = next.behindOrNull()) {
            if (next.opens() && next.open(batch) == Pull.FULL) {
                return false;
            }
        }
        return true;
    }

    /** The page to ask for, if one is wanted and none is asked for or held. */
    @Nullable
    PageTicket nextPage() {
        Subscription next = pageQueue.firstOrNull();
        while (ticket == null && next != null) {
            pageQueue.removeFirst();
            if (next.gateOpen()) {
                ticket = next.ticket();
                return ticket;
            }
            // Woken when the gate opens.
            next.awaitPage(false);
            next = pageQueue.firstOrNull();
        }
        return null;
    }

    /** A page has come, and is held if it is still wanted; false if its owner cannot go on with it. */
    boolean arrived(PageTicket arrived, Page page) {
        if (ticket != arrived) {
            return true;
        }
        Subscription owner = arrived.owner();
        owner.awaitPage(false);
        if (page.broken()) {
            // Law 1: a hole that cannot be filled is told.
            return false;
        }
        if (owner.gateOpen()) {
            arrived.hold(page);
            ready(owner);
        } else {
            dropTicket();
        }
        return true;
    }

    private boolean owns(Subscription subscription) {
        return ticket != null && ticket.owner() == subscription;
    }

    private void dropTicket() {
        if (ticket != null) {
            ticket.drop();
            ticket = null;
        }
    }

    /** The state, for people. */
    @Override
    public String toString() {
        return ready.size() + " ready, " + pageQueue.size() + " waiting for pages" + (ticket == null ? "" : ", a page");
    }
}
