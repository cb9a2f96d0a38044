package dev.tidings.protocol.agents;

import dev.tidings.spi.Transactions;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Transactions whose commit throws when a test says so: though it happened, or because it did not. */
final class LossyTransactions implements Transactions {
    /** The next so many commits happen and throw. */
    final AtomicInteger loseAnswers = new AtomicInteger();
    /** The next so many commits do not happen, and throw. */
    final AtomicInteger fail = new AtomicInteger();

    private final Transactions real;
    private final ThreadLocal<Integer> depth = ThreadLocal.withInitial(() -> 0);

    LossyTransactions(Transactions real) {
        this.real = real;
    }

    @Override
    public <T> T required(Supplier<T> work) {
        return depth.get() > 0 ? real.required(work) : requiresNew(work);
    }

    @Override
    public <T> T requiresNew(Supplier<T> work) {
        depth.set(depth.get() + 1);
        T result;
        try {
            result = real.requiresNew(() -> {
                T done = work.get();
                if (take(fail)) {
                    throw new IllegalStateException("secret: the connection was lost");
                }
                return done;
            });
        } finally {
            depth.set(depth.get() - 1);
        }
        if (take(loseAnswers)) {
            throw new IllegalStateException("secret: the answer to the commit was lost");
        }
        return result;
    }

    private static boolean take(AtomicInteger left) {
        return left.getAndUpdate(n -> Math.max(0, n - 1)) > 0;
    }
}
