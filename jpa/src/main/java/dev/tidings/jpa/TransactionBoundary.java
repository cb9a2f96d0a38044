package dev.tidings.jpa;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.util.function.Supplier;

/** Where the container begins and ends a transaction. Not final, for the container's proxy. Threads: any. */
@ApplicationScoped
class TransactionBoundary {

    @Transactional(value = TxType.REQUIRED, rollbackOn = Throwable.class)
    <T> T required(Supplier<T> work) {
        return work.get();
    }

    @Transactional(value = TxType.REQUIRES_NEW, rollbackOn = Throwable.class)
    <T> T requiresNew(Supplier<T> work) {
        return work.get();
    }
}
