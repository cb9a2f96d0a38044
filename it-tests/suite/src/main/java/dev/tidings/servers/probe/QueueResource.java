package dev.tidings.servers.probe;

import jakarta.annotation.Resource;
import jakarta.enterprise.context.RequestScoped;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSConnectionFactoryDefinition;
import jakarta.jms.JMSContext;
import jakarta.jms.Queue;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.QueryParam;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import org.jspecify.annotations.Nullable;

/**
 * Has it announced by whoever listens to a queue; apart, because some servers have none.
 *
 * <p>Threads: one request each. Public for the container; not API.
 */
@Path("announce/jms")
@RequestScoped
@JMSConnectionFactoryDefinition(name = QueueResource.CONNECTIONS, interfaceName = "jakarta.jms.ConnectionFactory")
public class QueueResource {

    // Payara has no default one in every domain, and WildFly lets nobody in without a name through one of our own.
    static final String CONNECTIONS = "java:app/jms/connections";

    private static final String DEFAULT_CONNECTIONS = "java:comp/DefaultJMSConnectionFactory";

    @Resource(lookup = AnnouncingListener.QUEUE)
    private @Nullable Queue queue;

    /** By whoever listens to the queue. */
    @POST
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
}
