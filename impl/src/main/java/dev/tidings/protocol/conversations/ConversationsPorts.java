package dev.tidings.protocol.conversations;

import dev.tidings.access.KeyAccess;
import dev.tidings.spi.Directory;
import dev.tidings.spi.Feed;

/**
 * What the face asks.
 *
 * <p>Threads: immutable.
 */
public record ConversationsPorts(Feed feed, Directory directory, KeyAccess keys) {}
