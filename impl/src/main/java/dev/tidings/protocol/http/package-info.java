/**
 * HTTP as the faces share it: the door (API keys as they are presented, Origin and Host, refusals before an upgrade), and bodies
 * and answers that move without a thread that waits for a peer.
 *
 * <p>What it must not know: sessions, frames, which face it serves.
 */
@NullMarked
package dev.tidings.protocol.http;

import org.jspecify.annotations.NullMarked;
