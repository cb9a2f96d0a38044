package dev.tidings.jpa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class StoredIdTest {

    @Test
    void possible_textThatEveryDatabaseKeeps_isTrue() {
        assertTrue(StoredId.possible("a"));
        assertTrue(StoredId.possible("x".repeat(255)));
        assertTrue(StoredId.possible("\u00e9\uD83D\uDE00?"));
    }

    @Test
    void possible_textThatNoneKeeps_isFalse() {
        for (String id :
                new String[] {"", "x".repeat(256), "a\0", "\0", "a\uD83D", "\uDE00", "\uD83Da", "\uDE00\uD83D"}) {
            assertFalse(StoredId.possible(id));
            assertThrows(IllegalArgumentException.class, () -> StoredId.require(id));
        }
    }

    @Test
    void require_possible_isTheSame() {
        assertEquals("a", StoredId.require("a"));
    }
}
