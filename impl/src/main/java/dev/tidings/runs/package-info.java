/**
 * Starts, cancels and fences the runs of agents, and writes what they produce through one writer a run.
 *
 * <p>What it must not know: wire protocols, sockets, frames, and any type of Jakarta. Everything that it stores goes
 * through the ports.
 */
@NullMarked
package dev.tidings.runs;

import org.jspecify.annotations.NullMarked;
