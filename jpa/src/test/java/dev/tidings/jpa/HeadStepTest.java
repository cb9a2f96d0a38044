package dev.tidings.jpa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tidings.EntryKind;
import dev.tidings.FencedException;
import dev.tidings.NewEntry;
import dev.tidings.Payload;
import dev.tidings.StreamKey;
import dev.tidings.spi.RunFence;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Law 10: what one transaction asks of the fences of one head. */
final class HeadStepTest {

    private static final RunFence A = new RunFence("a", 1);
    private static final RunFence A2 = new RunFence("a", 2);
    private static final RunFence B = new RunFence("b", 1);

    private final HeadStep step = new HeadStep(StreamKey.session("s"));

    @Test
    void append_withoutFence_asksForNothing() {
        step.append(entry(), null);
        assertEquals(Map.of(), step.required());
        assertEquals(Map.of(), step.opened());
        assertEquals(Map.of(), step.ended());
    }

    @Test
    void append_fencedThenClosed_requiresAndEnds() {
        step.append(entry(), A);
        step.close(A);
        step.append(entry(), A);
        assertEquals(Map.of("a", A), step.required());
        assertEquals(Map.of("a", A), step.ended());
        assertEquals(2, step.entries().size());
    }

    @Test
    void append_afterOpen_requiresNothingBefore() {
        step.open(A);
        step.append(entry(), A);
        assertEquals(Map.of(), step.required());
        assertEquals(Map.of("a", A), step.opened());
    }

    @Test
    void append_twoRuns_requiresBoth() {
        step.append(entry(), A);
        step.append(entry(), B);
        assertEquals(Map.of("a", A, "b", B), step.required());
    }

    @Test
    void append_twoAttemptsOfOneRun_isFenced() {
        step.append(entry(), A);
        assertThrows(FencedException.class, () -> step.append(entry(), A2));
    }

    @Test
    void append_earlierAttemptAfterTheNextWasOpened_isFenced() {
        step.open(A2);
        assertThrows(FencedException.class, () -> step.append(entry(), A));
    }

    @Test
    void append_afterAnotherRunWasOpened_requiresItsOwn() {
        step.open(B);
        step.append(entry(), A);
        assertEquals(Map.of("a", A), step.required());
    }

    @Test
    void append_afterItsRightEndedUnused_isFenced() {
        step.close(A);
        assertThrows(FencedException.class, () -> step.append(entry(), A));
    }

    @Test
    void close_ofAnEarlierAttempt_keepsTheOpenedOne() {
        step.open(A2);
        step.close(A);
        assertEquals(Map.of(), step.ended());
        step.close(A2);
        assertEquals(Map.of("a", A2), step.ended());
    }

    @Test
    void open_afterClose_isFenced() {
        step.close(A);
        assertThrows(FencedException.class, () -> step.open(A2));
    }

    private static NewEntry entry() {
        return new NewEntry("e", EntryKind.EVENT, true, Payload.of("{}"), null, 1);
    }
}
