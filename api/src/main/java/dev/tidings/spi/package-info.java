/**
 * The ports: what Tidings needs from the backend that it is embedded in.
 *
 * <p>A backend takes the implementations of {@code tidings-jpa}, or implements the ports over tables of its own. Each
 * port has a contract test in the test jar of this module, which every implementation must pass. What this package must
 * not know: databases, containers, wire protocols.
 */
@NullMarked
package dev.tidings.spi;

import org.jspecify.annotations.NullMarked;
