package dev.tidings.servers.probe;

import jakarta.transaction.TransactionScoped;
import java.io.Serializable;

/** A bean of the transaction. Threads: one. Public for the container; not API. */
@TransactionScoped
public class TransactionMark implements Serializable {

    private static final long serialVersionUID = 1L;

    /** Fails where there is no transaction. */
    public void touch() {
        // To be reached is all.
    }
}
