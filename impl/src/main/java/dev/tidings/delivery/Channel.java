package dev.tidings.delivery;

import dev.tidings.StreamKey;

/**
 * A stream as one protocol shows it: what a subscription watches and a window holds.
 *
 * <p>Threads: immutable.
 */
public record Channel(Translator translator, StreamKey key) {

    /** Whether the other one is the same key shown by an equal translator. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Channel channel && channel.translator.equals(translator) && channel.key.equals(key);
    }

    @Override
    public int hashCode() {
        return 31 * translator.hashCode() + key.hashCode();
    }
}
