package dev.tidings.spi;

import java.util.function.Supplier;

/**
 * Runs work in a transaction: committed when the work returns, rolled back when it throws.
 *
 * <p>Threads: safe for use by many threads. Errors: what the work throws is thrown on; a failed commit throws.
 */
public interface Transactions {

    /** In the caller's transaction if there is one, else in a new one. */
    <T> T required(Supplier<T> work);

    /** In a new transaction, whatever the caller has. */
    <T> T requiresNew(Supplier<T> work);

    /** In the caller's transaction if there is one, else in a new one. */
    default void run(Runnable work) {
        required(() -> {
            work.run();
            return Boolean.TRUE;
        });
    }
}
