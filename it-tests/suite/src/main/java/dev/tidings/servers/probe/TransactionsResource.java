package dev.tidings.servers.probe;

import jakarta.annotation.Resource;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.transaction.HeuristicMixedException;
import jakarta.transaction.HeuristicRollbackException;
import jakarta.transaction.NotSupportedException;
import jakarta.transaction.RollbackException;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.SystemException;
import jakarta.transaction.TransactionSynchronizationRegistry;
import jakarta.transaction.UserTransaction;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Transactions that nest, run out of time, or have listeners that fail. It answers with what its caller was told.
 *
 * <p>Threads: one request each. Public for the container; not API.
 */
@Path("transactions/{session}")
@RequestScoped
public class TransactionsResource {

    private static final int TIMEOUT_SECONDS = 1;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

    @Inject
    private @Nullable Announcer announcer;

    @Resource
    private @Nullable UserTransaction transaction;

    @Resource
    private @Nullable TransactionSynchronizationRegistry registry;

    /** Both commit. */
    @POST
    @Path("both-commit")
    public String bothCommit(@PathParam("session") String session) throws Exception {
        return nested(session, () -> announcer().openAlone(session, "inner"), true);
    }

    /** The outer one rolls back, the inner one has committed. */
    @POST
    @Path("outer-rolls-back")
    public String outerRollsBack(@PathParam("session") String session) throws Exception {
        return nested(session, () -> announcer().openAlone(session, "inner"), false);
    }

    /** The inner one rolls back, the outer one commits. */
    @POST
    @Path("inner-rolls-back")
    public String innerRollsBack(@PathParam("session") String session) throws Exception {
        return nested(
                session,
                () -> {
                    try {
                        announcer().openAloneAndThrow(session, "inner");
                    } catch (IllegalStateException changedItsMind) {
                        // What the outer one does next is its own affair.
                    }
                },
                true);
    }

    private String nested(String session, Runnable inner, boolean commit) throws Exception {
        begin(0);
        announcer().open(session, "outer before");
        inner.run();
        announcer().open(session, "outer behind");
        if (commit) {
            transaction().commit();
            return "committed";
        }
        transaction().rollback();
        return "rolled back";
    }

    /** Opens a ticket and stays until the server's reaper has ended the transaction; then tries to commit. */
    @POST
    @Path("timeout")
    public String timeout(@PathParam("session") String session) throws Exception {
        begin(TIMEOUT_SECONDS);
        announcer().open(session, "too slow");
        long start = System.nanoTime();
        while (transaction().getStatus() == Status.STATUS_ACTIVE && System.nanoTime() - start < PATIENCE_NANOS) {
            // The servers have no common signal for it: one tells synchronizations from the reaper, one at the end.
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
        try {
            transaction().commit();
            return "committed";
        } catch (RollbackException | IllegalStateException rolledBack) {
            return "rolled back";
        }
    }

    /** Commits while the reaper is at it: the commit begins as the time runs out. Tells which of the two happened. */
    @POST
    @Path("timeout-race")
    public String timeoutRace(@PathParam("session") String session) throws Exception {
        begin(TIMEOUT_SECONDS);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        announcer().open(session, "just in time");
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
        try {
            transaction().commit();
            return "committed";
        } catch (RollbackException | HeuristicRollbackException | HeuristicMixedException | IllegalStateException e) {
            return "rolled back";
        }
    }

    /** Opens a ticket on which all listeners throw, those of the transaction manager too. */
    @POST
    @Path("listeners-throw")
    public String listenersThrow(@PathParam("session") String session) throws Exception {
        begin(0);
        Objects.requireNonNull(registry).registerInterposedSynchronization(new Synchronization() {
            @Override
            public void beforeCompletion() {
                // Before the end it would be a reason to roll back.
            }

            @Override
            public void afterCompletion(int status) {
                throw new IllegalStateException("a synchronization that fails");
            }
        });
        announcer().open(session, ThrowingListeners.AFTER);
        transaction().commit();
        return "committed";
    }

    /** Opens a ticket on which a listener throws while the transaction completes. */
    @POST
    @Path("listener-throws-before")
    public String listenerThrowsBefore(@PathParam("session") String session) throws Exception {
        begin(0);
        announcer().open(session, ThrowingListeners.BEFORE);
        try {
            transaction().commit();
            return "committed";
        } catch (RollbackException e) {
            return "rolled back";
        }
    }

    private void begin(int timeoutSeconds) throws NotSupportedException, SystemException {
        transaction().setTransactionTimeout(timeoutSeconds);
        transaction().begin();
        transaction().setTransactionTimeout(0);
    }

    private Announcer announcer() {
        return Objects.requireNonNull(announcer);
    }

    private UserTransaction transaction() {
        return Objects.requireNonNull(transaction);
    }
}
