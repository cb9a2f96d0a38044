package dev.tidings.standalone;

import dev.tidings.spi.Transactions;
import jakarta.annotation.Priority;
import jakarta.decorator.Decorator;
import jakarta.decorator.Delegate;
import jakarta.enterprise.inject.Any;
import jakarta.inject.Inject;
import jakarta.transaction.Status;
import jakarta.transaction.SystemException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Lets a test lose the answer to a commit: it happens, and throws. Without one it does nothing. */
@Decorator
@Priority(1)
class LossyCommits implements Transactions {

    /** The next so many commits happen and throw. */
    static final AtomicInteger LOSE = new AtomicInteger();

    private final Transactions real;

    @Inject
    LossyCommits(@Delegate @Any Transactions real) {
        this.real = real;
    }

    @Override
    public <T> T required(Supplier<T> work) {
        boolean outermost = !inTransaction();
        T result = real.required(work);
        if (outermost) {
            lose();
        }
        return result;
    }

    @Override
    public <T> T requiresNew(Supplier<T> work) {
        T result = real.requiresNew(work);
        lose();
        return result;
    }

    private static boolean inTransaction() {
        try {
            return com.arjuna.ats.jta.TransactionManager.transactionManager().getStatus()
                    != Status.STATUS_NO_TRANSACTION;
        } catch (SystemException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void lose() {
        if (LOSE.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
            throw new IllegalStateException("the answer to the commit was lost");
        }
    }
}
