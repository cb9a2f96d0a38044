package dev.tidings.servers.probe;

import dev.tidings.event.EntriesStored;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.TransactionPhase;

/**
 * Observers of a backend that fail for entries of certain subjects.
 *
 * <p>Threads: any. Public for the container; not API.
 */
@ApplicationScoped
public class ThrowingListeners {

    /** The subject that makes every observer after the commit fail. */
    public static final String AFTER = "observers fail afterwards";

    /** The subject that makes an observer fail while the transaction completes. */
    public static final String BEFORE = "observers fail before";

    void inProgress(@Observes EntriesStored stored) {
        failOn(BEFORE, stored);
    }

    void committed(@Observes(during = TransactionPhase.AFTER_SUCCESS) EntriesStored stored) {
        failOn(AFTER, stored);
    }

    void completed(@Observes(during = TransactionPhase.AFTER_COMPLETION) EntriesStored stored) {
        failOn(AFTER, stored);
    }

    private static void failOn(String subject, EntriesStored stored) {
        if (stored.entries().stream().anyMatch(entry -> entry.payload().text().contains(subject))) {
            throw new IllegalStateException("an observer that fails");
        }
    }
}
