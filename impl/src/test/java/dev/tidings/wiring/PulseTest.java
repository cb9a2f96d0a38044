package dev.tidings.wiring;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class PulseTest {
    private long now = -5;
    private final Pulse pulse = new Pulse(() -> now);

    @Test
    void alive_roundsStandStill_isNotAnyMore() {
        now += Pulse.LONGEST.toNanos() * 2;
        assertTrue(pulse.alive(), "nothing has begun");
        pulse.beat();
        now += Pulse.LONGEST.toNanos() - 1;
        assertTrue(pulse.alive());
        now++;
        assertFalse(pulse.alive());
        pulse.beat();
        assertTrue(pulse.alive());
    }
}
