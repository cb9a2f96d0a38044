package dev.tidings.protocol.conversations;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Threads: one. */
class PositionsTest {

    @Test
    void positions_nothingAdded_areTheRowsOfTheBase() {
        Positions positions = new Positions(5);
        assertEquals(5, positions.head());
        assertEquals(5, positions.rows());
        assertEquals(3, positions.rowsUpTo(3));
        assertEquals(3, positions.positionOf(3));
        assertEquals(0, positions.positionOf(0));
    }

    /** Compared with a plain list, for mixtures of rows and passing events; {@code -Dtidings.seed} repeats one. */
    @Test
    void positions_randomMixture_countLikeAList() {
        long seed = Long.getLong("tidings.seed", System.nanoTime());
        System.out.println("positions: -Dtidings.seed=" + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 50; round++) {
            int base = random.nextInt(4);
            Positions positions = new Positions(base);
            List<Boolean> rows = new ArrayList<>();
            for (int i = 0; i < base; i++) {
                rows.add(true);
            }
            int share = 1 + random.nextInt(9);
            for (int i = random.nextInt(400); i > 0; i--) {
                boolean row = random.nextInt(10) < share;
                rows.add(row);
                assertEquals(rows.size(), positions.add(row));
            }
            compare(rows, positions);
        }
    }

    private static void compare(List<Boolean> rows, Positions positions) {
        assertEquals(rows.size(), positions.head());
        long count = 0;
        for (int position = 1; position <= rows.size(); position++) {
            assertEquals(count, positions.rowsUpTo(position - 1));
            assertEquals(rows.get(position - 1), positions.isRow(position));
            if (rows.get(position - 1)) {
                count++;
                assertEquals(position, positions.positionOf(count));
            }
        }
        assertEquals(count, positions.rowsUpTo(rows.size()));
        assertEquals(count, positions.rows());
    }
}
