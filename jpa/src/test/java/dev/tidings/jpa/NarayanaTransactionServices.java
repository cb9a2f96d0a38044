package dev.tidings.jpa;

import com.arjuna.ats.jta.TransactionManager;
import jakarta.transaction.RollbackException;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.SystemException;
import jakarta.transaction.UserTransaction;
import org.jboss.weld.transaction.spi.TransactionServices;

/** Tells Weld of Narayana's transactions: without it, transactional observers are called at once, and nothing says so. */
final class NarayanaTransactionServices implements TransactionServices {

    @Override
    public void registerSynchronization(Synchronization synchronization) {
        try {
            TransactionManager.transactionManager().getTransaction().registerSynchronization(synchronization);
        } catch (SystemException | RollbackException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public boolean isTransactionActive() {
        try {
            int status = TransactionManager.transactionManager().getStatus();
            return status == Status.STATUS_ACTIVE || status == Status.STATUS_MARKED_ROLLBACK;
        } catch (SystemException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public UserTransaction getUserTransaction() {
        return com.arjuna.ats.jta.UserTransaction.userTransaction();
    }

    @Override
    public void cleanup() {
        // nothing is kept
    }
}
