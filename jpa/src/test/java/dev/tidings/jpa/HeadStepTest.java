package dev.tidings.jpa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.EntryKind;
import dev.tidings.FencedException;
import dev.tidings.NewEntry;
import dev.tidings.Payload;
import dev.tidings.StreamKey;
import dev.tidings.spi.RunFence;
import org.junit.jupiter.api.Test;

/** Law 10: what one transaction asks of the fence of one head. */
final class HeadStepTest {

    private static final RunFence A = new RunFence("a", 1);
    private static final RunFence B = new RunFence("b", 1);

    private final HeadStep step = new HeadStep(StreamKey.session("s"));

    @Test
    void append_withoutFence_asksForNothing() {
        step.append(entry(), null);
        assertNull(step.required());
        assertFalse(step.replaced());
        assertNull(step.closed());
    }

    @Test
    void append_fencedThenClosed_requiresAndClears() {
        step.append(entry(), A);
        step.close(A);
        step.append(entry(), A);
        assertEquals(A, step.required());
        assertTrue(step.replaced());
        assertNull(step.opened());
        assertEquals(2, step.entries().size());
    }

    @Test
    void append_afterOpen_requiresNothingBefore() {
        step.open(A);
        step.append(entry(), A);
        assertNull(step.required());
        assertEquals(A, step.opened());
    }

    @Test
    void append_twoFencesNeitherOpened_isFenced() {
        step.append(entry(), A);
        assertThrows(FencedException.class, () -> step.append(entry(), B));
    }

    @Test
    void append_oldFenceAfterAnotherWasOpened_isFenced() {
        step.open(B);
        assertThrows(FencedException.class, () -> step.append(entry(), A));
    }

    @Test
    void close_notOpenedHere_closesOnlyIfItIsOpen() {
        step.close(A);
        assertEquals(A, step.closed());
        assertFalse(step.replaced());
    }

    @Test
    void close_ofAnother_keepsTheOpenedOne() {
        step.open(A);
        step.close(B);
        assertEquals(A, step.opened());
        step.close(A);
        assertNull(step.opened());
        assertTrue(step.replaced());
    }

    private static NewEntry entry() {
        return new NewEntry("e", EntryKind.EVENT, true, Payload.of("{}"), null, 1);
    }
}
