package dev.tidings.delivery;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The partials of a stream that have begun and not ended: where each began, and whether one of its signals was lost for
 * everybody.
 *
 * <p>Bounded: of more than {@value #MAX} open partials, the one that was silent for longest is forgotten, and counts as
 * a new one should it go on.
 *
 * <p>Threads: none of its own; guarded by the lock of its stream.
 */
final class Partials {
    static final int MAX = 1024;

    private record Open(long from, boolean broken, boolean ended) {}

    // Confined: under the stream's lock. In the order of last use.
    private final LinkedHashMap<String, Open> open = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Open> eldest) {
            return size() > MAX;
        }
    };

    /** Notes a signal at an index and gives the index at which its partial began. */
    long note(String partial, boolean last, long index) {
        Open known = last ? open.remove(partial) : open.computeIfAbsent(partial, p -> new Open(index, false, false));
        return known == null ? index : known.from();
    }

    /** Notes that a signal of a partial was lost before it had an index: what follows is lost too, until its end. */
    void breakOff(String partial, long index) {
        Open known = open.get(partial);
        open.put(partial, new Open(known == null ? index : known.from(), true, false));
    }

    /** Notes that the end of a partial overtook signals that wait: those are lost. */
    void endEarly(String partial, long index) {
        open.put(partial, new Open(index, true, true));
    }

    /** Whether a signal of the partial is lost. */
    boolean broken(String partial, boolean last) {
        Open known = open.get(partial);
        return known != null && (known.ended() || (known.broken() && !last));
    }
}
