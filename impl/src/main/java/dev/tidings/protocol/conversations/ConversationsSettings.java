package dev.tidings.protocol.conversations;

import dev.tidings.delivery.DeliveryLimits;
import java.time.Duration;

/**
 * How the face is set up; docs/configuration.md has the keys and ranges.
 *
 * <p>Threads: immutable.
 *
 * @param delivery the bounds of its sockets; its window is what is kept of the feed in memory
 * @param nodeId this node
 * @param lease how long a node looks after the feed without saying so again
 * @param maxMessageBytes the largest message that is passed over; a larger one closes the socket
 */
public record ConversationsSettings(DeliveryLimits delivery, String nodeId, Duration lease, int maxMessageBytes) {}
