/**
 * Writes the JSON of the faces that browsers use.
 *
 * <p>What it must not know: events, frames, which face it writes for.
 */
@NullMarked
package dev.tidings.protocol.json;

import org.jspecify.annotations.NullMarked;
