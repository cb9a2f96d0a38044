package dev.tidings.protocol.conversations;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.testkit.InMemoryTidings;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Law 5: an answer that has much to pass over is read in turns, so that others read in between. */
class RecentEventsTest {
    private static final int A_TURN = RecentEvents.PAGES_A_TURN * RecentEvents.PAGE_ENTRIES;

    private final InMemoryTidings store = new InMemoryTidings();

    /** Another process has stored much of one agent, and behind it a little of another. */
    private FeedTape tape() {
        ConversationsWorld before = new ConversationsWorld(store, 2_000, null);
        before.agent("a");
        before.agent("b");
        before.session("s", "a");
        before.session("t", "b");
        for (int i = 0; i < A_TURN + 10; i++) {
            before.message("t", "m");
        }
        before.message("s", "last");
        before.settle();
        return new ConversationsWorld(store, 2_000, null).face.tape();
    }

    private static RecentEvents from(FeedTape tape, View view, int limit) {
        return new RecentEvents(
                tape, view, tape.start(view, OptionalLong.of(0), true).orElseThrow(), limit);
    }

    private static String json(RecentEvents events) {
        return new String(events.json(), StandardCharsets.UTF_8);
    }

    @Test
    void readOn_muchToPassOver_takesSeveralTurns() {
        RecentEvents events = from(tape(), View.ofAgent("a"), 2_000);
        assertFalse(events.readOn());
        assertTrue(json(events).startsWith("{\"events\":[],"), json(events));
        assertTrue(events.readOn());
        assertTrue(json(events).contains("\"content\":\"last\""), json(events));
    }

    @Test
    void readOn_asMuchAsMayBeAskedFor_takesOneTurn() {
        RecentEvents events = from(tape(), View.ALL, 2_000);
        assertTrue(events.readOn());
    }

    /** Law 6: what was found in a turn does not wait for another, by when its conversation may be gone. */
    @Test
    void readOn_foundSomethingAndMuchToPassOver_endsWithTheTurn() {
        ConversationsWorld before = new ConversationsWorld(store, 2_000, null);
        before.agent("a");
        before.agent("b");
        before.session("s", "a");
        before.session("t", "b");
        before.message("s", "first");
        for (int i = 0; i < A_TURN + 10; i++) {
            before.message("t", "m");
        }
        before.settle();
        RecentEvents events = from(new ConversationsWorld(store, 2_000, null).face.tape(), View.ofAgent("a"), 2_000);
        assertTrue(events.readOn());
        assertTrue(json(events).contains("\"content\":\"first\""), json(events));
    }

    @Test
    void readOn_limit_endsThere() {
        RecentEvents events = from(tape(), View.ALL, 2);
        assertTrue(events.readOn());
        assertTrue(json(events).split("\"seq\":", -1).length == 3, json(events));
    }
}
