package dev.tidings.protocol.agents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** Law 4: transcripts that are being built at once are bounded in bytes, all together. */
class ReadBudgetTest {

    @Test
    void grow_beyondTheBound_isRefusedAndTakesNothing() {
        ReadBudget budget = new ReadBudget(100);
        try (ReadBudget.Share first = budget.share();
                ReadBudget.Share second = budget.share()) {
            first.grow(60);
            ActionRefusal refusal = assertThrows(ActionRefusal.class, () -> second.grow(41));
            assertEquals(503, refusal.status());
            second.grow(40);
            assertEquals(100, budget.taken());
        }
        assertEquals(0, budget.taken());
    }
}
