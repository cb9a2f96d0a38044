package dev.tidings.wiring;

import java.util.List;

/**
 * What wants to know of transactions that have committed.
 *
 * <p>Threads: any; the committing one. It must return soon.
 */
interface AfterCommit {

    /** The events of one transaction, or one that was fired outside any, in the order in which they are to be shown. */
    void committed(List<?> events);
}
