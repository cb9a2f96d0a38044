package dev.tidings.wiring;

import dev.tidings.SessionStatus;
import dev.tidings.event.AccountHint;
import dev.tidings.event.AgentChanged;
import dev.tidings.event.ApiKeyRevoked;
import dev.tidings.event.EntriesStored;
import dev.tidings.event.GrantChanged;
import dev.tidings.event.RunChanged;
import dev.tidings.event.SessionChanged;
import dev.tidings.event.Signal;
import dev.tidings.event.SignerRevoked;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.ContextNotActiveException;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.TransactionPhase;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;

/**
 * Turns domain events into broadcasts to subscribers, after the transaction that fired them committed (law 2).
 *
 * <p>Containers call the after-success observers of one transaction in any order, some in reverse. So events are
 * gathered while they are fired, in order, and one after-success observer a transaction hands them over together.
 *
 * <p>Public for the container; not API.
 */
@ApplicationScoped
public class CommitObserver {
    private static final System.Logger LOG = System.getLogger(CommitObserver.class.getName());

    private final Event<Committing> committing;
    private final Instance<TransactionEvents> current;
    private final Instance<AfterCommit> listener;

    /** For the container's proxy. */
    @SuppressWarnings("NullAway")
    protected CommitObserver() {
        this.committing = null;
        this.current = null;
        this.listener = null;
    }

    @Inject
    CommitObserver(Event<Committing> committing, Instance<TransactionEvents> current, Instance<AfterCommit> listener) {
        this.committing = committing;
        this.current = current;
        this.listener = listener;
    }

    /** The events of one transaction; the list grows until the commit. */
    record Committing(List<Object> events) {}

    void stored(@Observes EntriesStored event) {
        gather(event);
    }

    void session(@Observes SessionChanged event) {
        gather(event);
    }

    void agent(@Observes AgentChanged event) {
        gather(event);
    }

    void run(@Observes RunChanged event) {
        gather(event);
    }

    void grant(@Observes GrantChanged event) {
        gather(event);
    }

    void signer(@Observes SignerRevoked event) {
        gather(event);
    }

    void key(@Observes ApiKeyRevoked event) {
        gather(event);
    }

    void hint(@Observes AccountHint event) {
        gather(event);
    }

    void signal(@Observes Signal event) {
        gather(event);
    }

    private void gather(Object event) {
        List<Object> events;
        try {
            events = current.get().events();
        } catch (ContextNotActiveException noList) {
            // There is no transaction, and the observer is called at once. Or there is one, in a container that does
            // not activate its scope: then the observer is called after it, and never if it rolls back (law 2).
            committing.fire(new Committing(List.of(event)));
            return;
        }
        events.add(event);
        if (events.size() == 1) {
            committing.fire(new Committing(events));
        }
    }

    void committed(@Observes(during = TransactionPhase.AFTER_SUCCESS) Committing transaction) {
        try {
            listener.get().committed(inOrder(transaction.events()));
        } catch (RuntimeException e) {
            // The commit stands; the container would log the exception with its text.
            LOG.log(System.Logger.Level.ERROR, "a commit could not be handed over to be shown");
        }
    }

    /**
     * Entries first: a snapshot or a hint of the same transaction tells of what they brought about. But a session's
     * failure is promised before the error that explains it.
     */
    static List<Object> inOrder(List<Object> events) {
        List<Object> ordered = new ArrayList<>(events.size());
        events.stream().filter(CommitObserver::failure).forEach(ordered::add);
        events.stream().filter(EntriesStored.class::isInstance).forEach(ordered::add);
        events.stream()
                .filter(event -> !failure(event) && !(event instanceof EntriesStored))
                .forEach(ordered::add);
        return ordered;
    }

    private static boolean failure(Object event) {
        return event instanceof SessionChanged change && change.value().status() == SessionStatus.ERROR;
    }
}
