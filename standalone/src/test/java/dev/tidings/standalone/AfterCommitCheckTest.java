package dev.tidings.standalone;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.jboss.weld.environment.se.Weld;
import org.jboss.weld.environment.se.WeldContainer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Law 2: a CDI container that calls observers before the commit must not serve anybody. */
class AfterCommitCheckTest {
    @BeforeAll
    static void configure(@TempDir Path data) {
        Logging.configure("error");
        Transactions.configure(data);
    }

    @Test
    void run_containerKnowsTransactions_passes() {
        try (WeldContainer beans =
                weld().addServices(new NarayanaTransactionServices()).initialize()) {
            AfterCommitCheck check = beans.select(AfterCommitCheck.class).get();
            assertDoesNotThrow(() -> check.run(Transactions.user()));
        }
    }

    @Test
    void run_containerWithoutTransactionServices_refusesToStart() throws Exception {
        try (WeldContainer beans = weld().initialize()) {
            AfterCommitCheck check = beans.select(AfterCommitCheck.class).get();
            StartFailure failure = assertThrows(StartFailure.class, () -> check.run(Transactions.user()));
            assertTrue(String.valueOf(failure.getMessage()).contains("before the transaction ended"));
        } finally {
            Transactions.user().rollback();
        }
    }

    private static Weld weld() {
        return new Weld()
                .disableDiscovery()
                .addBeanClass(AfterCommitCheck.class)
                .property(Weld.SHUTDOWN_HOOK_SYSTEM_PROPERTY, false);
    }
}
