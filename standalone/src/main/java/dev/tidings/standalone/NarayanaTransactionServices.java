package dev.tidings.standalone;

import jakarta.transaction.RollbackException;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.SystemException;
import jakarta.transaction.UserTransaction;
import org.jboss.weld.transaction.spi.TransactionServices;

/**
 * What tells Weld of transactions. Without it, or without weld-jta, observers of a commit run at once, in silence;
 * {@link AfterCommitCheck} notices.
 */
final class NarayanaTransactionServices implements TransactionServices {
    @Override
    public void registerSynchronization(Synchronization synchronization) {
        try {
            Transactions.manager().getTransaction().registerSynchronization(synchronization);
        } catch (RollbackException | SystemException e) {
            throw new IllegalStateException("an observer cannot join the transaction", e);
        }
    }

    @Override
    public boolean isTransactionActive() {
        try {
            int status = Transactions.manager().getStatus();
            return status == Status.STATUS_ACTIVE || status == Status.STATUS_MARKED_ROLLBACK;
        } catch (SystemException e) {
            return false;
        }
    }

    @Override
    public UserTransaction getUserTransaction() {
        return Transactions.user();
    }

    @Override
    public void cleanup() {
        // Narayana belongs to the process, not to one CDI container.
    }
}
