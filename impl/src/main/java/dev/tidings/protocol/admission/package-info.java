/**
 * Who may come in, and how much may be asked: counted for all protocols together.
 *
 * <p>What it must not know: any protocol, what a message says, the engine.
 */
@NullMarked
package dev.tidings.protocol.admission;

import org.jspecify.annotations.NullMarked;
