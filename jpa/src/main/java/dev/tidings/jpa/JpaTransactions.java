package dev.tidings.jpa;

import dev.tidings.spi.Transactions;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.TransactionalException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * JTA transactions; a commit that failed because of what was staged throws what the numbering threw.
 *
 * <p>Not final and with a second constructor for the container's proxy. Threads: any.
 */
@ApplicationScoped
class JpaTransactions implements Transactions {

    private final TransactionBoundary boundary;
    private final Stagings stagings;

    @SuppressWarnings("NullAway") // the proxy's constructor
    protected JpaTransactions() {
        this(null, null);
    }

    @Inject
    JpaTransactions(TransactionBoundary boundary, Stagings stagings) {
        this.boundary = boundary;
        this.stagings = stagings;
    }

    @Override
    public <T> T required(Supplier<T> work) {
        Attempt<T> attempt = new Attempt<>(work, !stagings.inTransaction());
        return attempt.outcome(() -> boundary.required(attempt));
    }

    @Override
    public <T> T requiresNew(Supplier<T> work) {
        Attempt<T> attempt = new Attempt<>(work, true);
        return attempt.outcome(() -> boundary.requiresNew(attempt));
    }

    /** Work that remembers, beyond the end of its transaction, what the transaction had staged. Confined: one thread. */
    private final class Attempt<T> implements Supplier<T> {
        private final Supplier<T> work;
        private final boolean owner;
        private @Nullable Staging staging;
        private boolean returned;

        Attempt(Supplier<T> work, boolean owner) {
            this.work = work;
            this.owner = owner;
        }

        @Override
        public T get() {
            T result = work.get();
            if (owner && stagings.rollsBack()) {
                // The interceptor would roll back and say nothing.
                throw new TransactionalException("the transaction was marked for rollback", null);
            }
            staging = stagings.current().orElse(null);
            returned = true;
            return result;
        }

        T outcome(Supplier<T> transaction) {
            try {
                return transaction.get();
            } catch (Exception e) { // the interceptor may throw checked ones
                throw explained(e);
            }
        }

        private RuntimeException explained(Exception thrown) {
            RuntimeException cause = staging == null ? null : staging.failure();
            if (returned && cause != null) {
                cause.addSuppressed(thrown);
                return cause;
            }
            return thrown instanceof RuntimeException unchecked
                    ? unchecked
                    : new TransactionalException("the transaction did not commit", thrown);
        }
    }
}
