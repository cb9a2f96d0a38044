package dev.tidings.protocol.conversations;

import dev.tidings.protocol.conversations.FeedPump.Wave;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Puts what came, in order, into as few waves as keep the order within each conversation. In a wave entries come first.
 *
 * <p>Threads: confined to the one that plans.
 */
final class Waves {
    private final Deque<Wave> waves;
    // Of each conversation the wave that it has reached, and whether it has something there behind the entries.
    private final Map<String, Integer> reached = new HashMap<>();
    private final Map<String, Boolean> behindEntries = new HashMap<>();
    private final List<Wave> added = new ArrayList<>();

    /** Waves behind those that are there. */
    Waves(Deque<Wave> waves) {
        this.waves = waves;
    }

    void entries(String conversationId, long upTo) {
        int wave = reached.getOrDefault(conversationId, 0);
        if (behindEntries.getOrDefault(conversationId, false)) {
            wave++;
        }
        reached.put(conversationId, wave);
        behindEntries.put(conversationId, false);
        at(wave).upTo().merge(conversationId, upTo, Math::max);
    }

    void news(News news) {
        int wave = reached.getOrDefault(news.conversationId(), 0);
        reached.put(news.conversationId(), wave);
        behindEntries.put(news.conversationId(), true);
        at(wave).news().add(news);
    }

    void look(CompletableFuture<Boolean> done) {
        at(0).looks().add(done);
    }

    private Wave at(int index) {
        while (added.size() <= index) {
            Wave wave = new Wave(new LinkedHashMap<>(), new ArrayList<>(), new ArrayList<>());
            added.add(wave);
            waves.addLast(wave);
        }
        return added.get(index);
    }
}
