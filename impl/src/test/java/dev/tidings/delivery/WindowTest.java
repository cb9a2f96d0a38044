package dev.tidings.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Law 4: what a stream keeps is bounded. */
class WindowTest {

    private static Shown entry(long position, int bytes) {
        return Shown.of(position, List.of(Frame.ofText("x".repeat(bytes))));
    }

    private static Item.Snapshot snapshot(String key, long version) {
        return new Item.Snapshot(new Broadcast.Snapshot(key, version, Frame.ofText("12345"), null), 0);
    }

    @Test
    void add_moreFramesThanAllowed_oldestGo() {
        Window window = new Window(3, 1_000, (index, item) -> {});
        for (int position = 1; position <= 40; position++) {
            window.addEntry(entry(position, 1));
        }
        assertEquals(40, window.next());
        assertEquals(37, window.first());
        assertEquals(37, window.coveredAfter());
        assertThrows(IndexOutOfBoundsException.class, () -> window.at(36));
    }

    @Test
    void add_moreBytesThanAllowed_oldestGoButNotTheLast() {
        Window window = new Window(100, 10, (index, item) -> {});
        window.addEntry(entry(1, 6));
        window.addEntry(entry(2, 6));
        assertEquals(1, window.first());
        window.addEntry(entry(3, 50));
        assertEquals(2, window.first());
        assertEquals(3, window.next());
    }

    /** By it is judged who lags. */
    @Test
    void bytesFrom_everyIndex_isTheSumOfWhatIsHeldFromThere() {
        Window window = new Window(30, 120, (index, item) -> {});
        for (int position = 1; position <= 100; position++) {
            window.addEntry(entry(position, position * 7 % 13 + 1));
            long sum = 0;
            assertEquals(0, window.bytesFrom(window.next()));
            assertEquals(0, window.bytesFrom(window.next() + 1));
            for (long index = window.next() - 1; index >= window.first(); index--) {
                sum += window.at(index).bytes();
                assertEquals(sum, window.bytesFrom(index), "index " + index);
            }
            assertEquals(sum, window.bytesFrom(window.first() - 1));
            assertEquals(sum, window.bytes());
        }
    }

    @Test
    void addEntry_positionsBetweenShowNothing_areCovered() {
        Window window = new Window(100, 1_000, (index, item) -> {});
        window.clear(4);
        window.addEntry(entry(7, 1));
        assertEquals(5, ((Item.Entry) window.at(window.next() - 1)).from());
        assertEquals(window.next(), window.indexBehind(7));
        assertEquals(window.first(), window.indexBehind(6));
    }

    @Test
    void isNews_olderOrSameVersion_isNot() {
        Keepsakes kept = new Keepsakes(10, 1_000, 100);
        kept.keepSnapshot(1, snapshot("k", 3));
        assertFalse(kept.isNews(snapshot("k", 3).snapshot()));
        assertFalse(kept.isNews(snapshot("k", 2).snapshot()));
        assertTrue(kept.isNews(snapshot("k", 4).snapshot()));
    }

    @Test
    void keepSnapshot_tooMany_oldestIsForgottenAndTold() {
        Keepsakes kept = new Keepsakes(2, 1_000, 100);
        kept.keepSnapshot(1, snapshot("a", 9));
        kept.keepSnapshot(2, snapshot("b", 1));
        assertFalse(kept.forgotten(0, 5));
        kept.keepSnapshot(3, snapshot("c", 1));
        assertTrue(kept.forgotten(0, 5));
        assertFalse(kept.forgotten(2, 5));
        assertFalse(kept.isNews(snapshot("a", 8).snapshot()), "its version is remembered");
        assertEquals("2", String.valueOf(kept.firstOrNull(0, 5)).substring(0, 1));
        assertNull(kept.firstOrNull(4, 5));
    }

    @Test
    void partials_tooManyOpen_longestSilentIsForgotten() {
        Partials partials = new Partials();
        assertEquals(5, partials.note("first", false, 5));
        for (int i = 0; i < Partials.MAX; i++) {
            partials.note("p" + i, false, 10 + i);
        }
        assertEquals(9_000, partials.note("first", false, 9_000));
    }

    @Test
    void partials_brokenOff_onlyTheEndIsLeft() {
        Partials partials = new Partials();
        partials.note("p", false, 1);
        partials.breakOff("p", 2);
        assertTrue(partials.broken("p", false));
        assertFalse(partials.broken("p", true));
        partials.endEarly("p", 3);
        assertTrue(partials.broken("p", true));
    }
}
