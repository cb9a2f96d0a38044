package dev.tidings.sample;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/**
 * A customer's request, opened while a session talked about it.
 *
 * <p>Threads: none; an entity belongs to its transaction. Public for the container; not API.
 */
@Entity
@Table(name = "ticket")
public class Ticket {

    @Id
    @Column(name = "id", length = 64)
    private String id = "";

    @Column(name = "session_id", nullable = false)
    private String sessionId = "";

    @Column(name = "subject", nullable = false, length = 1000)
    private String subject = "";

    /** For the persistence provider. */
    protected Ticket() {}

    Ticket(String id, String sessionId, String subject) {
        this.id = id;
        this.sessionId = sessionId;
        this.subject = subject;
    }

    /** The name of the ticket. */
    public String id() {
        return id;
    }

    /** The session in which it was opened. */
    public String sessionId() {
        return sessionId;
    }

    /** What it is about. */
    public String subject() {
        return subject;
    }
}
