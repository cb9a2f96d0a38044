package dev.tidings.sample;

import dev.tidings.EntryKind;
import dev.tidings.NewEntry;
import dev.tidings.Payload;
import dev.tidings.StreamKey;
import dev.tidings.spi.EventWriter;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.json.Json;
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

    @Inject
    private @Nullable EventWriter events;

    /** Opens a ticket and says so in the session: both or neither, in the caller's transaction if there is one. */
    @Transactional
    public Ticket open(String sessionId, String subject) {
        Ticket ticket = new Ticket(UUID.randomUUID().toString(), sessionId, subject);
        entityManager().persist(ticket);
        Objects.requireNonNull(events).append(StreamKey.session(sessionId), opened(ticket));
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

    private static NewEntry opened(Ticket ticket) {
        Payload payload = Payload.of(Json.createObjectBuilder()
                .add("type", "ticket_opened")
                .add("ticketId", ticket.id())
                .add("subject", ticket.subject())
                .build()
                .toString());
        String id = UUID.randomUUID().toString();
        return new NewEntry(id, EntryKind.EVENT, true, payload, null, System.currentTimeMillis());
    }

    private EntityManager entityManager() {
        return Objects.requireNonNull(entityManager);
    }
}
