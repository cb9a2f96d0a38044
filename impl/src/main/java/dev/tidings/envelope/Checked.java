package dev.tidings.envelope;

import java.util.function.Function;

/**
 * What a check gives: the accepted value, or the refusal that answers the message.
 *
 * <p>Threads: immutable, as far as the value is.
 *
 * @param <T> what was checked
 */
public sealed interface Checked<T> {
    /** The value passed every check. */
    record Accepted<T>(T value) implements Checked<T> {}

    /** The first check that failed. */
    record Refused<T>(Refusal refusal) implements Checked<T> {}

    /** Goes on with whichever it is. */
    default <R> R fold(Function<? super T, ? extends R> accepted, Function<? super Refusal, ? extends R> refused) {
        if (this instanceof Accepted<T> yes) {
            return accepted.apply(yes.value());
        }
        return refused.apply(((Refused<T>) this).refusal());
    }

    /** The next check, when this one passed. */
    default <R> Checked<R> then(Function<? super T, Checked<R>> next) {
        return fold(next, Refused::new);
    }
}
