package dev.tidings.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Who is in a roll, however they come and go. */
class RollTest {
    private static final int STEPS = 5_000;

    private final EngineFixture engine = new EngineFixture();

    private Subscription subscription() {
        return engine.socket().outbox.subscribe(engine.channel, Gate.ALWAYS_OPEN);
    }

    /** The roll at a gate that is always open is used by nobody else. */
    @Test
    void addAndRemove_anyOrder_holdsThoseWhoAreIn() {
        long seed = Long.getLong("tidings.roll.seed", 8);
        Random random = new Random(seed);
        Roll roll = new Roll(Roll.Of.GATE);
        List<Subscription> all = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            all.add(subscription());
        }
        Set<Subscription> in = new HashSet<>();
        for (int i = 0; i < STEPS; i++) {
            Subscription one = all.get(random.nextInt(all.size()));
            if (in.add(one)) {
                roll.add(one);
            } else {
                in.remove(one);
                assertTrue(roll.remove(one), "-Dtidings.roll.seed=" + seed);
            }
            assertEquals(in, Set.copyOf(roll.copy()), "-Dtidings.roll.seed=" + seed);
            assertEquals(in.size(), roll.size());
            assertEquals(in.isEmpty(), roll.isEmpty());
        }
    }

    @Test
    void remove_notIn_changesNothing() {
        Roll roll = new Roll(Roll.Of.GATE);
        Subscription never = subscription();
        assertFalse(roll.remove(never));
        Subscription once = subscription();
        roll.add(once);
        assertFalse(roll.remove(never));
        assertTrue(roll.remove(once));
        assertFalse(roll.remove(once));
        assertEquals(List.of(), roll.copy());
    }
}
