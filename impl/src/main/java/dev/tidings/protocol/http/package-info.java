/**
 * The door of those faces that browsers use: API keys as they are presented, Origin and Host, and refusals before an
 * upgrade.
 *
 * <p>What it must not know: sessions, frames, which face it stands in front of.
 */
@NullMarked
package dev.tidings.protocol.http;

import org.jspecify.annotations.NullMarked;
