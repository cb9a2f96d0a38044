package dev.tidings.protocol.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.protocol.admission.Admission.Verdict;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Law 4 for what comes in: who may have how many sockets, and ask how much. */
class AdmissionTest {
    private long now = 1_000_000_000L;
    private final Admission admission = new Admission(new AdmissionLimits(2, 3, 10, 5), () -> now);

    // ---- sockets

    @Test
    void enter_addressHasEnoughSockets_notAdmittedUntilOneLeaves() {
        List<Admission.Seat> seats = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            seats.add(admission.enter("::1"));
        }
        assertEquals(
                List.of(true, true, true, false),
                seats.stream().map(Admission.Seat::admitted).toList());
        assertTrue(admission.enter("::2").admitted(), "another address");
        assertTrue(admission.enter(null).admitted(), "no address");
        // One that was not admitted gives nothing back, and one that leaves twice gives one place back.
        seats.get(3).leave();
        assertFalse(admission.enter("::1").admitted());
        seats.get(0).leave();
        seats.get(0).leave();
        assertTrue(admission.enter("::1").admitted());
        assertFalse(admission.enter("::1").admitted());
    }

    @Test
    void bind_accountHasEnoughSockets_refusedUntilOneLeaves() {
        Admission.Seat first = admission.enter(null);
        Admission.Seat second = admission.enter(null);
        Admission.Seat third = admission.enter(null);
        assertTrue(first.bind("a"));
        assertTrue(first.bind("a"), "its own place");
        assertTrue(second.bind("a"));
        assertFalse(third.bind("a"));
        assertTrue(third.bind("b"));
        assertTrue(second.bind("b"), "it moves");
        assertTrue(third.bind("a"), "to a place that is free now");
        first.leave();
        assertFalse(first.bind("a"), "it is gone");
    }

    @Test
    void leave_everybody_nothingIsRemembered() {
        List<Admission.Seat> seats = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            Admission.Seat seat = admission.enter("host" + i % 40);
            seat.bind("account" + i);
            seats.add(seat);
        }
        assertEquals(140, admission.known());
        seats.forEach(Admission.Seat::leave);
        assertEquals(0, admission.known());
    }

    // ---- messages

    @Test
    void message_burst_twiceTheRateThenTheRate() {
        Admission.Seat seat = admission.enter(null);
        for (int i = 0; i < 20; i++) {
            assertEquals(Verdict.ADMITTED, seat.message(true), "message " + i);
        }
        assertEquals(Verdict.TOO_FAST, seat.message(true));
        now += 100_000_000;
        assertEquals(Verdict.ADMITTED, seat.message(true));
        assertEquals(Verdict.TOO_FAST, seat.message(true));
        now += 1_000_000_000_000L;
        for (int i = 0; i < 20; i++) {
            assertEquals(Verdict.ADMITTED, seat.message(true), "no more is saved up than that");
        }
        assertEquals(Verdict.TOO_FAST, seat.message(true));
    }

    @Test
    void message_manyRefusedInARow_abuse() {
        Admission.Seat seat = admission.enter(null);
        for (int i = 0; i < 5; i++) {
            assertEquals(Verdict.ADMITTED, seat.message(false));
        }
        assertEquals(Verdict.ADMITTED, seat.message(true), "one that is well formed is not enough");
        now += 600_000_000;
        assertEquals(Verdict.ADMITTED, seat.message(true), "it kept quiet, and begins anew");
        for (int i = 0; i < 5; i++) {
            assertEquals(Verdict.ADMITTED, seat.message(false));
        }
        now += 600_000_000;
        assertEquals(Verdict.ABUSE, seat.message(false), "to keep quiet is not enough, either");
    }

    /** Who goes on above the rate, by little or by much, is closed after so many refusals, whatever is let through. */
    @Test
    void message_sustainedAboveTheRate_abuseWithinTheBound() {
        for (int perSecond : new int[] {11, 20, 1_000, 10_000}) {
            Admission.Seat seat = admission.enter(null);
            int refused = 0;
            int admitted = 0;
            Verdict verdict = Verdict.ADMITTED;
            while (verdict != Verdict.ABUSE) {
                now += 1_000_000_000 / perSecond;
                verdict = seat.message(true);
                admitted += verdict == Verdict.ADMITTED ? 1 : 0;
                refused += verdict == Verdict.TOO_FAST ? 1 : 0;
                assertTrue(refused <= 5 && admitted < 1_000, refused + " refused, " + admitted + " admitted");
            }
            assertEquals(5, refused, perSecond + " a second");
        }
    }

    /** An honest client has bursts: it is told, and never closed. */
    @Test
    void message_burstsWithRestsBetween_neverAbuse() {
        Admission.Seat seat = admission.enter(null);
        for (int burst = 0; burst < 50; burst++) {
            for (int i = 0; i < 25; i++) {
                assertEquals(i < 20 ? Verdict.ADMITTED : Verdict.TOO_FAST, seat.message(true), "message " + i);
            }
            now += 2_000_000_000L;
        }
    }

    /** Nor is one that keeps within the rate, for however long. */
    @Test
    void message_sustainedWithinTheRate_neverRefused() {
        Admission.Seat seat = admission.enter(null);
        for (int i = 0; i < 10_000; i++) {
            now += 100_000_000;
            assertEquals(Verdict.ADMITTED, seat.message(true));
        }
    }

    /** Pings and pieces of messages are counted like messages. */
    @Test
    void frames_floodOfThem_abuse() {
        Admission.Seat seat = admission.enter(null);
        assertEquals(Verdict.ADMITTED, seat.frames(20));
        assertEquals(Verdict.TOO_FAST, seat.message(true));
        assertEquals(Verdict.TOO_FAST, seat.frames(4));
        assertEquals(Verdict.ABUSE, seat.frames(Integer.MAX_VALUE));
    }

    @Test
    void limits_outOfRange_namesTheKey() {
        for (int which = 0; which < 4; which++) {
            int[] values = {1, 1, 1, 1};
            values[which] = 0;
            String key = List.of(
                            "max-sockets-per-account",
                            "max-sockets-per-address",
                            "max-messages-per-second",
                            "max-refusals")
                    .get(which);
            IllegalArgumentException refusal = assertThrows(
                    IllegalArgumentException.class,
                    () -> new AdmissionLimits(values[0], values[1], values[2], values[3]));
            assertEquals("tidings.agents." + key + " is out of range", refusal.getMessage());
        }
    }
}
