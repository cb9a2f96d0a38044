package dev.tidings.standalone;

import com.arjuna.ats.arjuna.common.CoordinatorEnvironmentBean;
import com.arjuna.ats.arjuna.common.CoreEnvironmentBeanException;
import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.ats.arjuna.common.arjPropertyManager;
import com.arjuna.ats.internal.arjuna.utils.UuidProcessId;
import com.arjuna.common.internal.util.propertyservice.BeanPopulator;
import jakarta.transaction.TransactionManager;
import jakarta.transaction.TransactionSynchronizationRegistry;
import jakarta.transaction.UserTransaction;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Narayana, set up to write below the data directory and to listen nowhere.
 *
 * <p>One database means one resource a transaction, which commits in one phase: there is nothing to recover, so no
 * recovery process runs, and the object store stays empty.
 */
final class Transactions {
    // Longer than a rollback waits for a lock. When it is over, the thread that rolls back is interrupted.
    private static final Duration ROLLBACK = Duration.ofSeconds(30);

    private Transactions() {}

    /** Must run before anything else touches Narayana; its settings belong to the whole process. */
    static void configure(Path data) {
        String store = data.resolve("transactions").toString();
        BeanPopulator.getDefaultInstance(ObjectStoreEnvironmentBean.class).setObjectStoreDir(store);
        // Each of the three stores has settings of its own, and each would fall back to the working directory.
        BeanPopulator.getNamedInstance(ObjectStoreEnvironmentBean.class, "communicationStore")
                .setObjectStoreDir(store);
        BeanPopulator.getNamedInstance(ObjectStoreEnvironmentBean.class, "stateStore")
                .setObjectStoreDir(store);
        // The default takes a server socket's port for the process id, and a second one reports transaction states.
        arjPropertyManager.getCoreEnvironmentBean().setProcessImplementationClassName(UuidProcessId.class.getName());
        CoordinatorEnvironmentBean coordinator = arjPropertyManager.getCoordinatorEnvironmentBean();
        coordinator.setTransactionStatusManagerEnable(false);
        // The default gives a rollback of a transaction that took too long half a second, and what makes it slow is
        // load.
        coordinator.setTxReaperCancelWaitPeriod(ROLLBACK.toMillis());
        try {
            arjPropertyManager.getCoreEnvironmentBean().setNodeIdentifier("tidings");
        } catch (CoreEnvironmentBeanException e) {
            throw new IllegalStateException("the transaction manager refuses its node name", e);
        }
    }

    static TransactionManager manager() {
        return com.arjuna.ats.jta.TransactionManager.transactionManager();
    }

    static UserTransaction user() {
        return com.arjuna.ats.jta.UserTransaction.userTransaction();
    }

    static TransactionSynchronizationRegistry registry() {
        return new com.arjuna.ats.internal.jta.transaction.arjunacore.TransactionSynchronizationRegistryImple();
    }
}
