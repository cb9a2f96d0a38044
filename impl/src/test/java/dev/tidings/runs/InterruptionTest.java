package dev.tidings.runs;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Law 5: a stop hits the runner and nobody else. Threads: one. */
class InterruptionTest {
    private final Interruption interruption = new Interruption();

    @AfterEach
    void clear() {
        assertFalse(Thread.interrupted());
    }

    @Test
    void interrupt_inside_hitsTheThread() {
        assertTrue(interruption.enter());
        interruption.interrupt();
        assertTrue(Thread.interrupted());
        interruption.leave();
    }

    /** The thread is the pool's by then, and does something else. */
    @Test
    void interrupt_afterItLeft_hitsNobody() {
        assertTrue(interruption.enter());
        interruption.leave();
        interruption.interrupt();
        assertFalse(Thread.currentThread().isInterrupted());
    }

    @Test
    void leave_interrupted_takesTheInterruptAway() {
        assertTrue(interruption.enter());
        interruption.interrupt();
        interruption.leave();
        assertFalse(Thread.currentThread().isInterrupted());
    }

    @Test
    void enter_interruptedBefore_isRefused() {
        interruption.interrupt();
        assertFalse(interruption.enter());
    }
}
