package dev.tidings.jpa;

import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.transaction.Status;
import java.util.Optional;

/** The staging of the calling thread's transaction, kept by the transaction itself. Threads: any. */
@Dependent
final class Stagings {

    private final Database database;

    @Inject
    Stagings(Database database) {
        this.database = database;
    }

    /** What the transaction has staged so far; empty if nothing, or if there is no transaction. */
    Optional<Staging> current() {
        return inTransaction()
                ? Optional.ofNullable((Staging) database.registry().getResource(Staging.class))
                : Optional.empty();
    }

    boolean inTransaction() {
        return database.registry().getTransactionKey() != null;
    }

    /** A staging for a transaction that has none. */
    Staging begin() {
        Staging staging = new Staging();
        database.registry().putResource(Staging.class, staging);
        return staging;
    }

    boolean rollsBack() {
        return database.registry().getTransactionStatus() == Status.STATUS_MARKED_ROLLBACK;
    }

    void rollBack() {
        database.registry().setRollbackOnly();
    }
}
