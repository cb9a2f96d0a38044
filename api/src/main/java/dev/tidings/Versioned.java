package dev.tidings;

/**
 * A value with the version of its row.
 *
 * <p>Versions are raised under the row's lock, so a higher one is newer, whatever the order in which two callbacks come
 * (law 4).
 *
 * <p>Threads: as the value.
 *
 * @param value the value
 * @param version from 1
 */
public record Versioned<T>(T value, long version) {}
