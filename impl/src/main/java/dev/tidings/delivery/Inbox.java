package dev.tidings.delivery;

import dev.tidings.StoredEntry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What waits for a stream: news that its pump has not digested, hinted entries behind a hole, and broadcasts that wait
 * until the hole is filled, so that they do not overtake entries before them.
 *
 * <p>Bounded, all together, in bytes, and in number but for pieces of text and the ends of partials, which are small and
 * come in bursts. At the bound the entries of a hint are dropped, since the log has them; their position is kept.
 *
 * <p>Threads: none of its own; guarded by the lock of its stream.
 */
final class Inbox {
    /** The place of a broadcast that waits until the log has told its head. */
    static final long UNPLACED = Long.MAX_VALUE;

    private final int maxCount;
    private final long maxBytes;

    // Confined, all of them: under the stream's lock.
    private Deque<News> news = new ArrayDeque<>();
    private final Deque<Held> held = new ArrayDeque<>();
    private final TreeMap<Long, List<StoredEntry>> stash = new TreeMap<>();
    private long newsBytes;
    private int newsCount;
    private long heldBytes;
    private int heldCount;
    private long stashBytes;
    private int stashCount;

    /** A broadcast, and the position up to which entries come before it. */
    record Held(Broadcast broadcast, long behind) {}

    Inbox(int maxCount, int maxBytes) {
        this.maxCount = maxCount;
        this.maxBytes = maxBytes;
    }

    /** The payload bytes that wait. */
    long bytes() {
        return size();
    }

    boolean isEmpty() {
        return news.isEmpty();
    }

    /** Adds news; a broadcast that has no room comes back. */
    @Nullable
    Broadcast addOrOverflow(News one) {
        if (one instanceof News.Hint hint) {
            if (!reserve(hint.entries().size(), bytes(hint.entries()))) {
                addHead(hint.entries().get(hint.entries().size() - 1).position());
                return null;
            }
        } else if (one instanceof News.Cast cast
                && !reserve(count(cast.broadcast()), cast.broadcast().bytes())) {
            return cast.broadcast();
        } else if (one instanceof News.HeadSeen seen) {
            addHead(seen.position());
            return null;
        }
        news.addLast(one);
        return null;
    }

    /** Everything that came, in order. */
    List<News> takeAll() {
        List<News> all = List.copyOf(news);
        news.clear();
        newsBytes = 0;
        newsCount = 0;
        return all;
    }

    /** Lets a broadcast wait until everything up to a position is there. */
    void hold(Broadcast broadcast, long behind) {
        held.addLast(new Held(broadcast, behind));
        heldBytes += broadcast.bytes();
        heldCount += count(broadcast);
    }

    /** The log has told its head: what waited for that comes behind it. */
    void place(long head) {
        if (!held.isEmpty() && held.getLast().behind() == UNPLACED) {
            List<Held> placed = held.stream()
                    .map(one -> one.behind() == UNPLACED ? new Held(one.broadcast(), head) : one)
                    .toList();
            held.clear();
            held.addAll(placed);
        }
    }

    /** Whether broadcasts wait. */
    boolean holdsAny() {
        return !held.isEmpty();
    }

    /** The broadcasts that waited for nothing behind a position, in order. */
    List<Broadcast> takeHeld(long head) {
        return takePlaced(head).stream().map(Held::broadcast).toList();
    }

    /** The same, with their places. */
    List<Held> takePlaced(long head) {
        List<Held> free = new ArrayList<>();
        while (!held.isEmpty() && held.getFirst().behind() <= head) {
            Held next = held.removeFirst();
            heldBytes -= next.broadcast().bytes();
            heldCount -= count(next.broadcast());
            free.add(next);
        }
        return free;
    }

    /** The broadcasts that waited, in order. */
    List<Broadcast> takeHeld() {
        return takeHeld(Long.MAX_VALUE);
    }

    /** Puts entries behind a hole aside, if there is room. */
    void stash(List<StoredEntry> entries) {
        if (count() + entries.size() <= maxCount && size() + bytes(entries) <= maxBytes) {
            List<StoredEntry> same = stash.put(entries.get(0).position(), entries);
            forget(same);
            stashCount += entries.size();
            stashBytes += bytes(entries);
        }
    }

    /** Stashed entries that go on from a head, at least one of them behind it. */
    @Nullable
    List<StoredEntry> unstashOrNull(long head) {
        while (true) {
            Map.Entry<Long, List<StoredEntry>> first = stash.firstEntry();
            if (first == null || first.getKey() > head + 1) {
                return null;
            }
            stash.pollFirstEntry();
            List<StoredEntry> entries = first.getValue();
            forget(entries);
            if (entries.get(entries.size() - 1).position() > head) {
                return entries;
            }
        }
    }

    void dropStash() {
        stash.clear();
        stashBytes = 0;
        stashCount = 0;
    }

    private void forget(@Nullable List<StoredEntry> entries) {
        if (entries != null) {
            stashCount -= entries.size();
            stashBytes -= bytes(entries);
        }
        assert stashCount >= 0 && stashBytes >= 0;
    }

    private boolean reserve(int count, long bytes) {
        if ((count > 0 && count() + count > maxCount) || size() + bytes > maxBytes) {
            return false;
        }
        newsCount += count;
        newsBytes += bytes;
        return true;
    }

    /** Heads need no room: two in a row are one. */
    private void addHead(long position) {
        if (news.peekLast() instanceof News.HeadSeen before) {
            news.removeLast();
            news.addLast(new News.HeadSeen(Math.max(before.position(), position)));
        } else {
            news.addLast(new News.HeadSeen(position));
        }
    }

    private static int count(Broadcast broadcast) {
        return broadcast instanceof Broadcast.Signal signal && (signal.text() != null || signal.last()) ? 0 : 1;
    }

    private int count() {
        return newsCount + heldCount + stashCount;
    }

    private long size() {
        return newsBytes + heldBytes + stashBytes;
    }

    private static long bytes(List<StoredEntry> entries) {
        long sum = 0;
        for (StoredEntry entry : entries) {
            sum += entry.payload().size();
        }
        return sum;
    }
}
