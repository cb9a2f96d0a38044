/**
 * The contracts of the ports, as abstract tests that every implementation must pass, and the ports in memory for the
 * tests of everything that uses them.
 *
 * <p>What it must not know: databases, containers, wire protocols.
 */
@NullMarked
package dev.tidings.testkit;

import org.jspecify.annotations.NullMarked;
