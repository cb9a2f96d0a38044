package dev.tidings.protocol.agents;

import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.delivery.Channel;
import dev.tidings.delivery.Frame;
import dev.tidings.delivery.Translator;
import java.util.List;

/**
 * A run tree as it is shown under the key of one of its runs: each journal entry an {@code append}.
 *
 * <p>The log knows the tree by its root; the frames carry the key that was asked for. Subscriptions to the same key share
 * one window.
 *
 * <p>Threads: pure; any number at once. Source: protocols A3, A5.
 *
 * @param requested the key that was asked for
 */
record RunTranslator(StreamKey requested) implements Translator {

    /** The tree of a root under the key of one of its runs. */
    static Channel channel(StreamKey requested, String rootRunId) {
        return new Channel(new RunTranslator(requested), StreamKey.run(rootRunId));
    }

    @Override
    public List<Frame> frames(StoredEntry entry) {
        String runId = entry.runId();
        return runId == null || !entry.numbered() ? List.of() : List.of(AgentsFrames.append(requested, runId, entry));
    }
}
