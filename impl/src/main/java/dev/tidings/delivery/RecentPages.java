package dev.tidings.delivery;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The pages that were read last, for whoever comes to the same place a little later: in a reconnect storm sockets follow
 * each other through the log. What is stored never changes, so a page is never out of date, only short.
 *
 * <p>Bounded in bytes, and in time, from when a page was last used.
 *
 * <p>Threads: none of its own; guarded by the lock of the page reader.
 */
final class RecentPages {
    /** How many pages of the largest size are kept. */
    static final int PAGES = 16;

    static final long KEEP_NANOS = 2_000_000_000L;

    private record Kept(Page page, long usedAt) {}

    private final long maxBytes;
    // Confined, both of them: under the reader's lock. In the order of last use.
    private final LinkedHashMap<PageReader.Place, Kept> pages = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;

    RecentPages(long pageMaxBytes) {
        this.maxBytes = PAGES * pageMaxBytes;
    }

    @Nullable
    Page findOrNull(PageReader.Place place, long now) {
        Kept kept = pages.get(place);
        if (kept == null) {
            return null;
        }
        pages.put(place, new Kept(kept.page(), now));
        return kept.page();
    }

    /** Keeps a page that its caller holds; gives those that nobody needs any more, to be let go of. */
    List<Page> keep(PageReader.Place place, Page page, long now) {
        List<Page> dropped = new ArrayList<>();
        Kept before = pages.put(place, new Kept(page, now));
        bytes += page.bytes();
        if (before != null) {
            bytes -= before.page().bytes();
            dropped.add(before.page());
        }
        Iterator<Kept> oldest = pages.values().iterator();
        while (bytes > maxBytes && oldest.hasNext()) {
            drop(oldest, oldest.next(), dropped);
        }
        return dropped;
    }

    /** Drops what was not used for a while. */
    List<Page> expire(long now) {
        List<Page> dropped = new ArrayList<>();
        Iterator<Kept> oldest = pages.values().iterator();
        while (oldest.hasNext()) {
            Kept next = oldest.next();
            if (now - next.usedAt() < KEEP_NANOS) {
                break;
            }
            drop(oldest, next, dropped);
        }
        return dropped;
    }

    List<Page> clear() {
        List<Page> dropped = new ArrayList<>();
        pages.values().forEach(kept -> dropped.add(kept.page()));
        pages.clear();
        bytes = 0;
        return dropped;
    }

    private void drop(Iterator<Kept> at, Kept kept, List<Page> dropped) {
        at.remove();
        bytes -= kept.page().bytes();
        dropped.add(kept.page());
    }
}
