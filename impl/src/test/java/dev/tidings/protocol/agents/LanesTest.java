package dev.tidings.protocol.agents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LanesTest {
    private final HandRun hand = new HandRun();
    private final List<String> done = new ArrayList<>();
    private final Lanes lanes = new Lanes(hand, 4);

    private boolean submit(String lane, String name, String what) {
        return lanes.submit(lane, name, () -> done.add(what));
    }

    @Test
    void submit_oneLane_runsInOrder() {
        submit("l", "1", "a");
        submit("l", "2", "b");
        submit("l", "3", "c");
        hand.runAll();
        assertEquals(List.of("a", "b", "c"), done);
    }

    /** Law 5: a slow piece of work delays its own lane only. */
    @Test
    void submit_twoLanes_takeTurns() {
        submit("l", "1", "l1");
        submit("l", "2", "l2");
        submit("m", "1", "m1");
        assertEquals(2, hand.waiting(), "one task a lane");
        hand.runAll();
        assertEquals(List.of("l1", "m1", "l2"), done);
    }

    @Test
    void submit_sameName_takesThePlace() {
        submit("l", "1", "old");
        submit("l", "2", "b");
        submit("l", "1", "new");
        hand.runAll();
        assertEquals(List.of("new", "b"), done);
    }

    /** Law 4: bounded. */
    @Test
    void submit_tooMuchWaits_isDroppedUntilThereIsRoom() {
        for (int i = 0; i < 4; i++) {
            assertTrue(submit("l" + i, "1", "x" + i));
        }
        assertFalse(submit("l9", "1", "lost"));
        hand.runOne();
        assertTrue(submit("l9", "1", "kept"));
        hand.runAll();
        assertEquals(List.of("x0", "x1", "x2", "x3", "kept"), done);
    }

    @Test
    void submit_workFails_laneGoesOn() {
        lanes.submit("l", "1", () -> {
            throw new IllegalStateException("broken");
        });
        submit("l", "2", "b");
        hand.runAll();
        assertEquals(List.of("b"), done);
    }

    @Test
    void submit_fromTheWorkItself_runsBehindIt() {
        lanes.submit("l", "1", () -> submit("l", "1", "again"));
        submit("l", "2", "b");
        hand.runAll();
        assertEquals(List.of("b", "again"), done);
    }

    /** A pool that cannot start a thread says so with an error, for a moment: the lane is not stuck for ever. */
    @Test
    void submit_poolHasNoThread_laneGoesOnLater() {
        boolean[] noThread = {true};
        Lanes some = new Lanes(
                task -> {
                    if (noThread[0]) {
                        throw new OutOfMemoryError("as the test wants");
                    }
                    hand.execute(task);
                },
                1);
        some.submit("l", "1", () -> done.add("lost"));
        noThread[0] = false;
        assertTrue(some.submit("l", "2", () -> done.add("kept")));
        hand.runAll();
        assertEquals(List.of("kept"), done);
    }
}
