package dev.tidings.envelope;

/** What a check has to have given; anything else fails the test and says what it was. */
public final class Outcomes {
    private Outcomes() {}

    /** The accepted value. */
    public static <T> T accepted(Checked<T> checked) {
        return checked.fold(value -> value, refusal -> {
            throw new AssertionError("refused: " + refusal);
        });
    }

    /** The refusal. */
    public static Refusal refused(Checked<?> checked) {
        return checked.fold(
                value -> {
                    throw new AssertionError("accepted: " + value);
                },
                refusal -> refusal);
    }
}
