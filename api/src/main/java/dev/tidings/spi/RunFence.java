package dev.tidings.spi;

/**
 * The right of one attempt of a run to write: it holds from {@link EventWriter#openFence} until
 * {@link EventWriter#closeFence}, and is checked while the head is locked (law 10).
 *
 * <p>Threads: immutable.
 *
 * @param runId the run
 * @param attempt counts how often the run was taken, from 1
 */
public record RunFence(String runId, long attempt) {}
