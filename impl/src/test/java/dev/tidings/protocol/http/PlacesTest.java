package dev.tidings.protocol.http;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Law 5: who takes all that it may leaves places for others. */
class PlacesTest {

    @Test
    void take_moreThanAShare_isRefusedAndOthersAreNot() {
        Places places = new Places(8);
        assertTrue(places.take("a"));
        assertTrue(places.take("a"));
        assertFalse(places.take("a"));
        assertTrue(places.take("b"));
        places.give("a");
        assertTrue(places.take("a"));
    }

    /** Where there is one holder alone, nobody could be kept out. */
    @Test
    void takeAlone_asManyAsThereAre_areGiven() {
        Places places = new Places(8);
        for (int i = 0; i < 8; i++) {
            assertTrue(places.takeAlone("anybody"));
        }
        assertFalse(places.takeAlone("anybody"));
        places.give("anybody");
        assertTrue(places.takeAlone("anybody"));
    }

    @Test
    void take_moreThanThereAre_isRefusedToAnybody() {
        Places places = new Places(2);
        assertTrue(places.take("a") && places.take("b"));
        assertFalse(places.take("c"));
        places.give("b");
        assertTrue(places.take("c"));
    }
}
