package dev.tidings.protocol.agents;

import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.delivery.Channel;
import dev.tidings.delivery.Frame;
import dev.tidings.delivery.Translator;
import java.util.List;

/**
 * A stored entry as this protocol shows it: an {@code append} if it has a number, else nothing.
 *
 * <p>There is one, so that all its subscriptions share the windows of their streams.
 *
 * <p>Threads: pure; any number at once. Source: protocols A5, and "One session, three faces".
 */
final class AgentsTranslator implements Translator {
    static final AgentsTranslator INSTANCE = new AgentsTranslator();

    private AgentsTranslator() {}

    /** The stream of a key as this protocol shows it. */
    static Channel channel(StreamKey key) {
        return new Channel(INSTANCE, key);
    }

    @Override
    public List<Frame> frames(StoredEntry entry) {
        boolean shown = entry.numbered() && entry.stream().kind() == StreamKey.Kind.SESSION;
        return shown ? List.of(AgentsFrames.append(entry)) : List.of();
    }
}
