package dev.tidings.sample;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.transaction.Transactional;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Opens tickets and finds them again.
 *
 * <p>Threads: safe for use by many threads, each in its own transaction. Public for the container; not API.
 */
@ApplicationScoped
public class Desk {

    @PersistenceContext(unitName = "desk")
    private @Nullable EntityManager entityManager;

    /** Opens a ticket, in the caller's transaction if there is one. */
    @Transactional
    public Ticket open(String sessionId, String subject) {
        Ticket ticket = new Ticket(UUID.randomUUID().toString(), sessionId, subject);
        entityManager().persist(ticket);
        return ticket;
    }

    /** The tickets of a session, by subject. */
    @Transactional
    public List<Ticket> ticketsOf(String sessionId) {
        return entityManager()
                .createQuery("select t from Ticket t where t.sessionId = ?1 order by t.subject", Ticket.class)
                .setParameter(1, sessionId)
                .getResultList();
    }

    private EntityManager entityManager() {
        return Objects.requireNonNull(entityManager);
    }
}
