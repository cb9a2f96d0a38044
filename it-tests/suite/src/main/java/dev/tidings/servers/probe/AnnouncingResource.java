package dev.tidings.servers.probe;

import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSConnectionFactoryDefinition;
import jakarta.jms.JMSContext;
import jakarta.jms.Queue;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.QueryParam;
import java.util.Objects;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import org.jspecify.annotations.Nullable;

/**
 * Announces from a REST resource, or has it done by something else.
 *
 * <p>Threads: one request each. Public for the container; not API.
 */
@Path("announce")
@RequestScoped
@JMSConnectionFactoryDefinition(name = AnnouncingResource.CONNECTIONS, interfaceName = "jakarta.jms.ConnectionFactory")
public class AnnouncingResource {

    // Payara has no default one in every domain, and WildFly lets nobody in without a name through one of our own.
    static final String CONNECTIONS = "java:app/jms/connections";

    private static final String DEFAULT_CONNECTIONS = "java:comp/DefaultJMSConnectionFactory";

    @Inject
    private @Nullable Announcer announcer;

    @Inject
    private @Nullable AnnouncingTimer timer;

    @Resource
    private @Nullable ManagedExecutorService executor;

    @Resource(lookup = AnnouncingListener.QUEUE)
    private @Nullable Queue queue;

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

    /** By whoever listens to the queue. */
    @POST
    @Path("jms")
    public void byListener(@QueryParam("session") String session, @QueryParam("account") String account) {
        try (JMSContext context = connections().createContext()) {
            context.createProducer().send(queue, new Announcement(session, account, "jms").line());
        }
    }

    @SuppressWarnings("BanJNDI") // the names are constants
    private static ConnectionFactory connections() {
        try {
            try {
                return InitialContext.doLookup(DEFAULT_CONNECTIONS);
            } catch (NamingException none) {
                return InitialContext.doLookup(CONNECTIONS);
            }
        } catch (NamingException e) {
            throw new IllegalStateException("there is no connection factory", e);
        }
    }

    private Announcer announcer() {
        return Objects.requireNonNull(announcer);
    }
}
