package dev.tidings.delivery;

/** Faults that a test makes up, told apart from those that it finds. */
final class MadeUp {
    private MadeUp() {}

    static boolean is(Throwable trouble) {
        return trouble instanceof OutOfMemory || trouble instanceof Broken || trouble instanceof Linkage;
    }

    /** Memory is short for a moment. */
    static final class OutOfMemory extends OutOfMemoryError {
        private static final long serialVersionUID = 1L;
    }

    /** A class is missing. */
    static final class Linkage extends NoClassDefFoundError {
        private static final long serialVersionUID = 1L;
    }

    /** An error of another kind. */
    static final class Broken extends Error {
        private static final long serialVersionUID = 1L;
    }
}
