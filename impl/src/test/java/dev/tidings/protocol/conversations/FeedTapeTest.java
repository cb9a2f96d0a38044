package dev.tidings.protocol.conversations;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.Payload;
import dev.tidings.StoredEntry;
import dev.tidings.spi.Feed;
import dev.tidings.testkit.InMemoryTidings;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The feed as a log for the engine: every view counts without a hole, wherever somebody reads. Threads: one. */
class FeedTapeTest {
    private static final View ALL = View.ALL;

    /** Law 1, at every boundary between what is in memory and what is read from the feed; and nothing of anybody else. */
    @ParameterizedTest
    @ValueSource(ints = {1, 5, 8, 2_000})
    void read_fromEveryPosition_goesOnBehindItAndShowsItsPartAlone(int window) {
        ConversationsWorld world = new ConversationsWorld(new InMemoryTidings(), window, null);
        world.session("s", "a");
        world.session("t", "b");
        for (int i = 0; i < 12; i++) {
            world.message(i % 2 == 0 ? "s" : "t", "m" + i);
            world.delta(i % 3 == 0 ? "t" : "s", "p" + i, "d" + i);
            world.settle();
        }
        FeedTape tape = world.face.tape();
        assertEquals(Set.of("s", "t"), shown(readAll(tape, ALL)));
        assertEquals(Set.of("s"), shown(readAll(tape, View.ofAgent("a"))));
        assertEquals(Set.of("s"), shown(readAll(tape, View.ofConversation("s"))));
        assertEquals(Set.of("t"), shown(readAll(tape, View.ofConversation("t"))));
    }

    private static List<StoredEntry> readAll(FeedTape tape, View view) {
        long head = tape.head(view.key()).position();
        assertTrue(head >= 10, "there is something to read");
        for (long after = 0; after < head; after++) {
            long position = after;
            for (StoredEntry entry : tape.read(view.key(), after, 1_000, 1 << 20)) {
                assertEquals(++position, entry.position(), view + " behind " + after);
            }
            assertTrue(position > after, view + " behind " + after);
        }
        assertEquals(List.of(), tape.read(view.key(), head, 1_000, 1 << 20));
        return tape.read(view.key(), 0, 1_000, 1 << 20);
    }

    private static Set<String> shown(List<StoredEntry> entries) {
        return Set.copyOf(
                entries.stream().filter(FeedTape::shows).map(StoredEntry::id).toList());
    }

    private static Numbered passing(long seq, String conversation, int bytes) {
        Payload event = Payload.of("\"" + "x".repeat(bytes) + "\"");
        return new Numbered(seq, new Presence(conversation), null, "a", 0, event, 1, false);
    }

    /** Law 4: the memory is bounded in bytes as well. */
    @Test
    void memory_moreBytesThanItMayHold_forgetsTheOldest() {
        AtomicLong kept = new AtomicLong();
        FeedMemory memory = new FeedMemory(1_000, 5_000, kept::addAndGet);
        memory.begin(new Feed.Head(0, 0));
        for (int seq = 1; seq <= 20; seq++) {
            memory.add(passing(seq, "s", 1_000));
            assertTrue(kept.get() <= 5_000, kept::toString);
        }
        assertFalse(memory.page(ALL, memory.all().floor(), 100, 1 << 20).isEmpty());
    }

    /** What only passed and is gone is gone also for a conversation that was not counted for a while. */
    @Test
    void gone_conversationWasForgottenMeanwhile_isStillSaid() {
        FeedMemory memory = new FeedMemory(1, 1 << 20, bytes -> {});
        memory.begin(new Feed.Head(0, 0));
        memory.add(passing(1, "s", 1));
        memory.add(passing(2, "t", 1));
        assertEquals(OptionalLong.of(2), memory.gone(View.ofConversation("s"), 0));
        for (int i = 0; i < 4; i++) {
            memory.tidy(Set.of());
        }
        memory.count(new Presence("s"), 0);
        assertEquals(OptionalLong.of(2), memory.gone(View.ofConversation("s"), 0));
    }
}
