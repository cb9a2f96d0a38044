package dev.tidings.delivery;

/**
 * What a log says of a throwable that nobody expected: what an operator can do something about, in words, and neither class
 * nor text (law 9).
 *
 * <p>Threads: any.
 */
public final class FaultWords {

    private FaultWords() {}

    /** The words for a throwable: a short phrase, one of a few. */
    public static String of(Throwable trouble) {
        if (trouble instanceof OutOfMemoryError) {
            return "out of memory";
        }
        if (trouble instanceof StackOverflowError) {
            return "the stack is too small";
        }
        if (trouble instanceof LinkageError) {
            return "a class is missing or of another version";
        }
        return "an unexpected failure";
    }
}
