package dev.tidings.servers;

import dev.tidings.*;
import dev.tidings.event.*;
import dev.tidings.spi.*;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.RequestScoped;
import jakarta.enterprise.event.*;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import jakarta.ws.rs.*;
import java.util.*;
import java.util.concurrent.*;
import org.jspecify.annotations.Nullable;

/** x. */
@Path("sessions/{session}/probe")
@RequestScoped
public class ProbeResource {
    @Inject
    @Nullable
    DirectoryWriter writer;

    @Inject
    @Nullable
    EventLog log;

    static final List<String> SEEN = new CopyOnWriteArrayList<>();

    /** x. */
    @POST
    @Transactional
    public void make(@PathParam("session") String session) {
        Objects.requireNonNull(writer)
                .create(new AgentInfo(
                        "a" + session, "acc", Payload.of("{}"), null, AgentInfo.AgentStatus.IDLE, 1, 1, false));
        Objects.requireNonNull(writer).create(SessionInfo.idle(session, "acc", "a" + session, null, 1));
    }

    /** x. */
    @GET
    @Produces("text/plain")
    public String read(@PathParam("session") String session) {
        EventLog l = Objects.requireNonNull(log);
        StringBuilder b = new StringBuilder("epoch " + l.epoch() + "\n");
        for (StoredEntry e : l.read(StreamKey.session(session), 0, 100, 100000))
            b.append(e.position())
                    .append(' ')
                    .append(e.seq())
                    .append(' ')
                    .append(e.payload().text())
                    .append('\n');
        return b.append(String.join("\n", SEEN)).toString();
    }

    /** x. */
    @ApplicationScoped
    public static class Watch {
        void seen(@Observes(during = TransactionPhase.AFTER_SUCCESS) EntriesStored e) {
            SEEN.add("after success " + e.entries().size() + " first "
                    + e.entries().get(0).position() + " on "
                    + Thread.currentThread().getName());
        }
    }
}
