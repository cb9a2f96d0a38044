package dev.tidings.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.StoredEntry;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Law 4: what waits for a stream is bounded in number and bytes. */
class InboxTest {
    private static final int MANY = 1_000_000;

    private final SimLog log = new SimLog(4, () -> {});
    private final List<StoredEntry> entries = log.append(EngineFixture.KEY, 6);
    private final long entryBytes = entries.get(0).payload().size();

    @Test
    void addOrOverflow_moreHintsThanAllowed_positionIsKeptAlone() {
        Inbox inbox = new Inbox(2, MANY);
        assertNull(inbox.addOrOverflow(hint(0, 2)));
        assertNull(inbox.addOrOverflow(hint(2, 4)));
        assertNull(inbox.addOrOverflow(hint(4, 6)));
        assertEquals(List.of(hint(0, 2), new News.HeadSeen(6)), inbox.takeAll());
        assertNull(inbox.addOrOverflow(hint(4, 6)));
        assertEquals(List.of(hint(4, 6)), inbox.takeAll());
    }

    @Test
    void addOrOverflow_moreBytesThanAllowed_positionIsKeptAlone() {
        Inbox inbox = new Inbox(MANY, (int) (3 * entryBytes));
        assertNull(inbox.addOrOverflow(hint(0, 3)));
        assertNull(inbox.addOrOverflow(hint(3, 4)));
        assertEquals(List.of(hint(0, 3), new News.HeadSeen(4)), inbox.takeAll());
    }

    @Test
    void addOrOverflow_broadcastsBeyondTheBound_comeBack() {
        Inbox inbox = new Inbox(2, MANY);
        assertNull(inbox.addOrOverflow(new News.Cast(signal("a"))));
        assertNull(inbox.addOrOverflow(new News.Cast(signal("b"))));
        Broadcast third = signal("c");
        assertSame(third, inbox.addOrOverflow(new News.Cast(third)));
        Inbox small = new Inbox(MANY, 5);
        Broadcast large = signal("123456");
        assertSame(large, small.addOrOverflow(new News.Cast(large)));
    }

    @Test
    void hold_broadcastsWaitForAHole_countForTheBound() {
        Inbox inbox = new Inbox(2, MANY);
        inbox.hold(signal("a"), 0);
        inbox.hold(signal("b"), 0);
        assertNotNull(inbox.addOrOverflow(new News.Cast(signal("c"))));
        assertEquals(2, inbox.takeHeld().size());
        assertNull(inbox.addOrOverflow(new News.Cast(signal("c"))));
    }

    @Test
    void stash_moreThanAllowed_isLeftToTheLog() {
        Inbox inbox = new Inbox(3, MANY);
        inbox.stash(entries.subList(1, 3));
        inbox.stash(entries.subList(3, 5));
        assertEquals(entries.subList(1, 3), inbox.unstashOrNull(1));
        assertNull(inbox.unstashOrNull(3));
        Inbox small = new Inbox(MANY, (int) entryBytes);
        small.stash(entries.subList(1, 3));
        assertNull(small.unstashOrNull(1));
    }

    @Test
    void stash_taken_roomIsFreeAgain() {
        Inbox inbox = new Inbox(2, MANY);
        for (int i = 0; i < 3; i++) {
            inbox.stash(entries.subList(1, 3));
            assertNotNull(inbox.unstashOrNull(1));
        }
        assertTrue(inbox.isEmpty());
    }

    private News.Hint hint(int from, int until) {
        return new News.Hint(entries.subList(from, until));
    }

    private static Broadcast signal(String text) {
        return new Broadcast.Signal(Frame.ofText(text), null, false, null);
    }
}
