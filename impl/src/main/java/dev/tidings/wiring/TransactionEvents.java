package dev.tidings.wiring;

import jakarta.transaction.TransactionScoped;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/** What was fired in the current transaction so far, in order. */
@TransactionScoped
class TransactionEvents implements Serializable {
    private static final long serialVersionUID = 1L;

    // Confined: the thread that works on the transaction. Transient: a transaction is never passivated with events.
    private transient List<Object> events = new ArrayList<>();

    /** The list itself, not this bean's proxy: the scope is gone when the transaction is. */
    List<Object> events() {
        if (events == null) {
            events = new ArrayList<>();
        }
        return events;
    }
}
