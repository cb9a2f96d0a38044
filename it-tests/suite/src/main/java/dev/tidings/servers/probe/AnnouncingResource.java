package dev.tidings.servers.probe;

import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.QueryParam;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Announces from a REST resource, or has it done by something else.
 *
 * <p>Threads: one request each. Public for the container; not API.
 */
@Path("announce")
@RequestScoped
public class AnnouncingResource {

    @Inject
    private @Nullable Announcer announcer;

    @Inject
    private @Nullable AnnouncingTimer timer;

    @Resource
    private @Nullable ManagedExecutorService executor;

    /** Here and now. */
    @POST
    @Path("rest")
    public void now(@QueryParam("session") String session, @QueryParam("account") String account) {
        announcer().announce(new Announcement(session, account, "rest"));
    }

    /** When the timer next fires. */
    @POST
    @Path("timer")
    public void byTimer(@QueryParam("session") String session, @QueryParam("account") String account) {
        Objects.requireNonNull(timer).ask(new Announcement(session, account, "timer"));
    }

    /** On a thread of the managed executor. */
    @POST
    @Path("executor")
    public void byExecutor(@QueryParam("session") String session, @QueryParam("account") String account) {
        Announcer target = announcer();
        Objects.requireNonNull(executor).execute(() -> target.announce(new Announcement(session, account, "executor")));
    }

    private Announcer announcer() {
        return Objects.requireNonNull(announcer);
    }
}
