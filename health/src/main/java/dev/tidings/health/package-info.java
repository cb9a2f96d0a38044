/**
 * How a node is, as checks of MicroProfile Health; found by the server where it is on the class path.
 *
 * <p>What it must not know: the engine, the database; it asks {@link dev.tidings.spi.NodeHealth}.
 */
@NullMarked
package dev.tidings.health;

import org.jspecify.annotations.NullMarked;
