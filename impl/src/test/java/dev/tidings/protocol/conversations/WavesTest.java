package dev.tidings.protocol.conversations;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidings.protocol.conversations.FeedPump.Wave;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WavesTest {
    private final ArrayDeque<Wave> waves = new ArrayDeque<>();
    private final Waves planned = new Waves(waves);

    private static News news(String conversation, String data) {
        return new News("message.delta", conversation, null, "a", 1, data);
    }

    @Test
    void waves_manyConversations_shareOne() {
        for (int i = 0; i < 100; i++) {
            planned.entries("s" + i, 1);
            planned.news(news("s" + i, "{}"));
        }
        assertEquals(1, waves.size());
        assertEquals(100, waves.getFirst().upTo().size());
        assertEquals(100, waves.getFirst().news().size());
    }

    @Test
    void waves_entryBehindWhatPassed_beginsAnother() {
        planned.entries("s", 1);
        planned.news(news("s", "1"));
        planned.news(news("s", "2"));
        planned.entries("s", 2);
        planned.entries("s", 3);
        planned.news(news("s", "3"));
        planned.entries("t", 1);
        assertEquals(2, waves.size());
        Wave first = waves.removeFirst();
        assertEquals(Map.of("s", 1L, "t", 1L), first.upTo());
        assertEquals(List.of("1", "2"), first.news().stream().map(News::data).toList());
        Wave second = waves.removeFirst();
        assertEquals(Map.of("s", 3L), second.upTo());
        assertEquals(List.of("3"), second.news().stream().map(News::data).toList());
    }
}
