package dev.tidings.delivery;

import dev.tidings.StreamKey;

/**
 * A stream as one protocol shows it: what a subscription watches and a window holds.
 *
 * <p>Threads: immutable.
 */
public record Channel(Translator translator, StreamKey key) {

    /** Whether the other one is the same key shown by the same translator object. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Channel channel && channel.translator == translator && channel.key.equals(key);
    }

    @Override
    public int hashCode() {
        return 31 * System.identityHashCode(translator) + key.hashCode();
    }
}
