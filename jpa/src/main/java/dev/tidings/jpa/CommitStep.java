package dev.tidings.jpa;

import dev.tidings.event.EntriesStored;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.TransactionPhase;
import jakarta.inject.Inject;

/**
 * Numbers and inserts what a transaction staged, while it completes (law 3).
 *
 * <p>It runs in the BEFORE_COMPLETION phase of CDI: SQL in an interposed synchronization would make EclipseLink flush
 * twice and roll the caller back. Not final and with a second constructor for the container's proxy. Threads: any.
 */
@ApplicationScoped
class CommitStep {

    private static final System.Logger LOG = System.getLogger(CommitStep.class.getName());

    private final Stagings stagings;
    private final Numbering numbering;
    private final Event<EntriesStored> entriesStored;

    @SuppressWarnings("NullAway") // the proxy's constructor
    protected CommitStep() {
        this(null, null, null);
    }

    @Inject
    CommitStep(Stagings stagings, Numbering numbering, Event<EntriesStored> entriesStored) {
        this.stagings = stagings;
        this.numbering = numbering;
        this.entriesStored = entriesStored;
    }

    void number(@Observes(during = TransactionPhase.BEFORE_COMPLETION) Staging staging) {
        staging.complete();
        if (stagings.rollsBack()) {
            return;
        }
        try {
            numbering.apply(staging.take()).forEach(entriesStored::fire);
        } catch (RuntimeException e) {
            // A container swallows what an observer throws: the transaction must be told, and the cause kept for
            // whoever can hand it on.
            staging.failed(e);
            stagings.rollBack();
            LOG.log(System.Logger.Level.DEBUG, "what a transaction appended could not be stored; it rolls back");
        } catch (Error e) {
            stagings.rollBack();
            throw e;
        }
    }
}
