package dev.tidings.protocol.agents;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import org.junit.jupiter.api.Test;

/** A1: no Origin check by default; a list narrows it. */
class AgentsDoorTest {

    @Test
    void admits_noList_everybody() {
        AgentsDoor open = new AgentsDoor(true, Set.of());
        assertTrue(open.admits("https://anywhere.example"));
        assertTrue(open.admits("null"));
        assertTrue(open.admits(null));
    }

    @Test
    void admits_list_thoseAndWhatIsNoBrowser() {
        AgentsDoor narrow = new AgentsDoor(true, Set.of("https://Desk.example"));
        assertTrue(narrow.admits("https://desk.EXAMPLE"));
        assertTrue(narrow.admits(null));
        assertFalse(narrow.admits("https://desk.example.evil"));
        assertFalse(narrow.admits("http://desk.example"));
        assertFalse(narrow.admits("null"));
        assertFalse(narrow.admits(""));
    }
}
