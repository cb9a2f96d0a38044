package dev.tidings.standalone;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.TransactionPhase;
import jakarta.inject.Inject;
import jakarta.transaction.HeuristicMixedException;
import jakarta.transaction.HeuristicRollbackException;
import jakarta.transaction.NotSupportedException;
import jakarta.transaction.RollbackException;
import jakarta.transaction.SystemException;
import jakarta.transaction.UserTransaction;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Proves at start-up that transactional observers wait for the commit (law 2).
 *
 * <p>A CDI container that knows nothing of transactions calls them at once and says nothing: events of transactions
 * that roll back would be shown to everybody.
 */
@ApplicationScoped
class AfterCommitCheck {
    private final Event<Probe> events;
    private final AtomicInteger before = new AtomicInteger();
    private final AtomicInteger succeeded = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();

    /** What the check fires; observed by nobody else. */
    record Probe() {}

    @Inject
    AfterCommitCheck(Event<Probe> events) {
        this.events = events;
    }

    /** For the container's proxy alone. */
    @SuppressWarnings("NullAway")
    AfterCommitCheck() {
        this.events = null;
    }

    void beforeCompletion(@Observes(during = TransactionPhase.BEFORE_COMPLETION) Probe probe) {
        before.incrementAndGet();
    }

    void afterSuccess(@Observes(during = TransactionPhase.AFTER_SUCCESS) Probe probe) {
        succeeded.incrementAndGet();
    }

    void afterFailure(@Observes(during = TransactionPhase.AFTER_FAILURE) Probe probe) {
        failed.incrementAndGet();
    }

    /** @throws StartFailure if an observer ran when it must not, or did not when it must */
    void run(UserTransaction transaction) {
        try {
            transaction.begin();
            events.fire(new Probe());
            expect(0, 0, 0, "before the transaction ended");
            transaction.rollback();
            expect(0, 0, 1, "after a rollback");
            transaction.begin();
            events.fire(new Probe());
            transaction.commit();
            expect(1, 1, 1, "after a commit");
        } catch (NotSupportedException
                | SystemException
                | RollbackException
                | HeuristicMixedException
                | HeuristicRollbackException e) {
            throw new StartFailure("the transaction manager does not work", e);
        }
    }

    private void expect(int befores, int successes, int failures, String when) {
        if (before.get() != befores || succeeded.get() != successes || failed.get() != failures) {
            throw new StartFailure("observers of a commit are not called with the transaction (" + when
                    + "): weld-jta or the transaction services are missing");
        }
    }
}
