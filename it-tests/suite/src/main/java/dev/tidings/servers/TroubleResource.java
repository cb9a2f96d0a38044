package dev.tidings.servers;

import dev.tidings.sample.Desk;
import jakarta.annotation.Resource;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.transaction.TransactionSynchronizationRegistry;
import jakarta.transaction.Transactional;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Uses the desk as callers do who change their mind, or who want much at once.
 *
 * <p>Added to the backend by the tests. Threads: one request each. Public for the container; not API.
 */
@Path("sessions/{session}/trouble")
@RequestScoped
@Transactional
public class TroubleResource {

    @Inject
    private @Nullable Desk desk;

    @Resource
    private @Nullable TransactionSynchronizationRegistry transaction;

    /** Opens a ticket and throws. */
    @POST
    @Path("exception")
    public void throwAfterOpening(@PathParam("session") String session, @QueryParam("subject") String subject) {
        desk().open(session, subject);
        throw new IllegalStateException("changed its mind");
    }

    /** Opens a ticket and marks the transaction. */
    @POST
    @Path("rollback-only")
    public void markAfterOpening(@PathParam("session") String session, @QueryParam("subject") String subject) {
        desk().open(session, subject);
        Objects.requireNonNull(transaction).setRollbackOnly();
    }

    /** Opens several tickets in one transaction, {@code <subject> 1} first. */
    @POST
    @Path("several")
    public void openSeveral(
            @PathParam("session") String session,
            @QueryParam("subject") String subject,
            @QueryParam("count") int count) {
        for (int i = 1; i <= count; i++) {
            desk().open(session, subject + ' ' + i);
        }
    }

    private Desk desk() {
        return Objects.requireNonNull(desk);
    }
}
