/**
 * The Agents protocol: the socket of {@code /agents/ws}, and its signed HTTP sibling.
 *
 * <p>Inbound: bytes become a signed envelope, then an action, then a subscription. Outbound: domain events become frames.
 * Frames are the protocol's own JSON, made here and nowhere else. What this package must not know: how frames reach a
 * socket, how windows and cursors work, how entries are stored, and the other protocols.
 */
@NullMarked
package dev.tidings.protocol.agents;

import org.jspecify.annotations.NullMarked;
