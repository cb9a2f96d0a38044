package dev.tidings.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What a peer has got of one subscription, and the oracle of what it may get next.
 *
 * <p>Threads: one.
 */
final class SimView {
    final Channel channel;
    final long cursor;
    final String opening;
    final int answersBefore;
    /** Of each partial, how many signals had been published when the subscription was registered. */
    final Map<String, Integer> publishedBefore;

    /** Of each snapshot key, the newest version published since the subscription was registered. */
    final Map<String, Long> due = new HashMap<>();

    final Map<String, Long> versions = new HashMap<>();
    /** Of those, what the opening shows and other channels show as well. */
    final Map<String, Long> shownShared = new HashMap<>();

    boolean mustBeFresh;

    final Map<String, Integer> signalsDue = new HashMap<>();
    final Map<String, Integer> parts = new HashMap<>();
    /** Of each partial that is text: its length at registration; what must have come; where what came ends. */
    final Map<String, Integer> textBefore = new HashMap<>();

    final Map<String, Integer> textDue = new HashMap<>();
    final Map<String, Integer> textEnds = new HashMap<>();
    /** Of pieces published while it was watching, how far the log reached then. */
    final Map<String, Long> placesDue = new HashMap<>();
    /** What the opening leaves out of the replay: entries up to that position with a number up to that. */
    private long until;

    private long leaveOut;

    /** The text so far that is to come behind the replay: of each partial, up to where. */
    final Map<String, Integer> behind = new HashMap<>();

    boolean answered;
    final Set<String> endsDue = new HashSet<>();
    final Set<String> ended = new HashSet<>();
    boolean opened;
    private boolean openingTaken;
    long position;
    private int frameOfEntry;
    int signals;

    SimView(
            Channel channel,
            long cursor,
            String opening,
            int answersBefore,
            Map<String, Integer> publishedBefore,
            Map<String, Long> seen) {
        this.channel = channel;
        this.cursor = cursor;
        this.position = cursor;
        this.opening = opening;
        this.answersBefore = answersBefore;
        this.publishedBefore = publishedBefore;
        versions.putAll(seen);
    }

    /** The opening has a replay up to a position, without some numbered entries. */
    void replay(long upTo, long without) {
        until = upTo;
        leaveOut = without;
    }

    /** The text so far of a partial: behind the replay, before anything that comes after. */
    void textSoFar(String partial, int end) {
        assertTrue(!ended.contains(partial), "the text so far after the end of " + partial);
        assertTrue(position <= until, opening + ": the text so far comes too late, at " + position + " of " + until);
        assertEquals(behind.remove(partial), end, opening + ": the text so far twice, or another");
        textEnds.put(partial, end);
    }

    /** Law 1: the next frame is the next frame of the next entry that shows something. */
    void entry(long got, int frame) {
        assertTrue(got <= until || behind.isEmpty(), opening + ": an entry overtook the text so far");
        long expected = frameOfEntry > 0 ? position + 1 : nextShown(position);
        assertEquals(expected, got, "law 1: the next position of " + channel.key() + " after " + position);
        assertEquals(frameOfEntry, frame, "law 1: the next frame of position " + got);
        frameOfEntry++;
        if (frameOfEntry == frames(got)) {
            frameOfEntry = 0;
            position = got;
        } else {
            position = got - 1;
        }
    }

    /** Law 4: never an older one over a newer one. */
    void snapshot(String key, long version) {
        long before = versions.getOrDefault(key, -1L);
        assertTrue(version > before, "law 4: version " + version + " of " + key + " after " + before);
        versions.put(key, version);
    }

    /** Law 4: of a partial, a prefix or everything, and perhaps its end; never a hole. */
    void signal(String partial, int number, boolean last) {
        signals++;
        assertTrue(behind.isEmpty(), opening + ": a signal overtook the text so far");
        assertTrue(ended.isEmpty() || !ended.contains(partial), "a signal after the end of " + partial);
        Integer before = parts.get(partial);
        int first = publishedBefore.getOrDefault(partial, 0) + 1;
        if (!last) {
            assertTrue(
                    before == null ? number <= first : number == before + 1,
                    opening + " law 4: signal " + number + " of " + partial + " after " + before
                            + ", registered before " + first);
        }
        parts.put(partial, number);
        if (last) {
            ended.add(partial);
        }
    }

    /** Law 4: the text of a partial goes on where it ended, joined or not; what came is what was published. */
    void text(String partial, int offset, String added) {
        assertTrue(!ended.contains(partial), "text after the end of " + partial);
        assertTrue(behind.isEmpty(), opening + ": a piece overtook the text so far");
        Integer end = textEnds.get(partial);
        if (end == null) {
            assertTrue(offset <= textBefore.getOrDefault(partial, 0), opening + " law 4: a hole before " + offset);
        } else {
            assertEquals(end, offset, opening + " law 4: where the text of " + partial + " goes on");
        }
        Long before = placesDue.get(partial + '|' + offset);
        assertTrue(
                before == null || position <= before,
                opening + ": a piece of " + partial + " comes at " + position + ", was published at " + before);
        assertEquals(Simulation.text(offset, offset + added.length()), added, "the text itself");
        textEnds.put(partial, offset + added.length());
    }

    /** Whether the opening has been taken, now or before. */
    boolean openingTaken(Frame frame) {
        openingTaken |= frame.text().equals(opening);
        return openingTaken;
    }

    /** Whether every shown entry up to a head has come. */
    boolean complete(long head) {
        return frameOfEntry == 0 && nextShown(position) > head;
    }

    private long nextShown(long after) {
        long next = after + 1;
        while (frames(next) == 0) {
            next++;
        }
        return next;
    }

    private int frames(long position) {
        long seq = SimLog.seq(position);
        boolean leftOut = position <= until && seq > 0 && seq <= leaveOut;
        return leftOut ? 0 : SimTranslator.frames(channel.translator(), position);
    }
}
