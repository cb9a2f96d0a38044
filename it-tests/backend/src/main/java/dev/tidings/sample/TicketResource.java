package dev.tidings.sample;

import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The tickets of a session, over HTTP.
 *
 * <p>Threads: one request each. Public for the container; not API.
 */
@Path("sessions/{session}/tickets")
@RequestScoped
public class TicketResource {

    // RESTEasy looks for a constructor of its own liking before CDI has a say, hence the field.
    @Inject
    private @Nullable Desk desk;

    /** Opens a ticket. */
    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @Produces(MediaType.APPLICATION_JSON)
    public TicketView open(@PathParam("session") String session, TicketView asked) {
        return TicketView.of(desk().open(session, asked.subject()));
    }

    /** The tickets, by subject. */
    @GET
    @Produces(MediaType.APPLICATION_JSON)
    public List<TicketView> list(@PathParam("session") String session) {
        return desk().ticketsOf(session).stream().map(TicketView::of).toList();
    }

    private Desk desk() {
        return Objects.requireNonNull(desk);
    }

    /**
     * A ticket as JSON.
     *
     * @param id the ticket's name; absent in a request
     * @param subject what it is about
     */
    public record TicketView(@Nullable String id, String subject) {

        static TicketView of(Ticket ticket) {
            return new TicketView(ticket.id(), ticket.subject());
        }
    }
}
