package dev.tidings;

/**
 * How far a durable stream reaches.
 *
 * <p>Threads: immutable. Source: protocols, "One session, three faces": the head counts both numbers.
 *
 * @param position the position of the last entry, 0 for an empty stream; positions run 1, 2, 3 … without a hole
 * @param seq the number of the last numbered entry of a session, 0 if there is none; not used for run trees, whose
 *     numbers count per run
 */
public record Head(long position, long seq) {

    /** The head of a stream without entries. */
    public static final Head EMPTY = new Head(0, 0);
}
