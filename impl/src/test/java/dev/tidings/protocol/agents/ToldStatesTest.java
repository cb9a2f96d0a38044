package dev.tidings.protocol.agents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.AgentActivity;
import dev.tidings.protocol.agents.ToldStates.State;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ToldStatesTest {
    private final ToldStates told = new ToldStates(new AtomicLong());

    @Test
    void number_sameState_staysTheSame() {
        long first = told.number("session-1", new State(4, 0, activity(false)));
        assertEquals(first, told.number("session-1", new State(4, 0, activity(false))));
        told.number("session-2", new State(4, 0, activity(true)));
        assertEquals(first, told.number("session-1", new State(4, 0, activity(false))));
    }

    /** Read before the agent's run had ended, it is not what is true now. */
    @Test
    void number_sameRowAndAnotherActivity_isHigher() {
        long first = told.number("session-1", new State(4, 0, activity(true)));
        assertTrue(told.number("session-1", new State(4, 0, activity(false))) > first);
    }

    /** A child that a backend made by itself changes no row of its parent. */
    @Test
    void number_sameRowAndAnotherChild_isHigher() {
        long first = told.number("session-1", new State(4, 0, null));
        assertTrue(told.number("session-1", new State(4, 1, null)) > first);
    }

    @Test
    void number_anotherRow_isHigher() {
        long first = told.number("session-1", new State(4, 0, null));
        long second = told.number("session-1", new State(5, 0, null));
        assertTrue(second > first);
        assertTrue(told.number("session-1", new State(4, 0, null)) > second);
    }

    /** What it remembers is bounded; the sessions that were told of lately are kept. */
    @Test
    void number_manySessions_forgetsTheOnesOfLongAgo() {
        long first = told.number("session-1", new State(4, 0, null));
        long kept = told.number("kept", new State(4, 0, null));
        for (int i = 0; i < 10_000; i++) {
            told.number("other-" + i, new State(1, 0, null));
            told.number("kept", new State(4, 0, null));
        }
        assertEquals(kept, told.number("kept", new State(4, 0, null)));
        assertTrue(told.number("session-1", new State(4, 0, null)) > first);
    }

    private static AgentActivity activity(boolean busy) {
        return new AgentActivity(1_000, "agent", 900L, "user", "session-1", busy);
    }
}
