package dev.tidings.delivery;

import dev.tidings.StreamKey;

/**
 * A stream as one protocol shows it: what a subscription watches and a window holds.
 *
 * <p>Threads: immutable.
 */
public record Channel(Translator translator, StreamKey key) {}
