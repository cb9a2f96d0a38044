package dev.tidings.jpa;

import jakarta.transaction.TransactionManager;
import org.eclipse.persistence.platform.server.ServerPlatformBase;
import org.eclipse.persistence.sessions.DatabaseSession;
import org.eclipse.persistence.sessions.ExternalTransactionController;
import org.eclipse.persistence.transaction.JTATransactionController;

/** EclipseLink as a container would run it, with the tests' transaction manager. Public for EclipseLink. */
public final class EclipseLinkPlatform extends ServerPlatformBase {

    /** For EclipseLink. */
    public EclipseLinkPlatform(DatabaseSession session) {
        super(session);
    }

    @Override
    public Class<? extends ExternalTransactionController> getExternalTransactionControllerClass() {
        return Controller.class;
    }

    /** Finds the transaction manager. Public for EclipseLink. */
    public static final class Controller extends JTATransactionController {
        @Override
        protected TransactionManager acquireTransactionManager() {
            return com.arjuna.ats.jta.TransactionManager.transactionManager();
        }
    }
}
