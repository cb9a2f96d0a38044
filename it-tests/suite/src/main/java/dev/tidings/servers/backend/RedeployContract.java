package dev.tidings.servers.backend;

import static dev.tidings.servers.backend.Backend.watching;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.blackbox.SignedClient;
import dev.tidings.blackbox.WatchSocket;
import dev.tidings.servers.RecordsServlet;
import java.net.URISyntaxException;
import java.net.URL;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jboss.arquillian.container.test.api.Deployer;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * An application with Tidings comes and goes, and leaves no thread and no socket in the server, and no class
 * loaders that pile up.
 *
 * <p>Threads: one. The two deployments are the subclass's: {@link #beside}, which stays, and {@link #again}, which it
 * does not deploy itself.
 */
@ExtendWith(ArquillianExtension.class)
public abstract class RedeployContract {

    /** The name of the deployment that comes and goes. */
    protected static final String AGAIN = "again";

    private static final String OURS = "dev.tidings.wiring.TidingsBeans";
    private static final int TIMES = 20;

    /**
     * Of the twenty, at most so many class loaders may stay: how many must not grow with how often. In heap dumps one was
     * held by a thread of the server's own; two were seen.
     */
    private static final int MOST_THAT_STAY = 3;

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    @ArquillianResource
    private @Nullable Deployer deployer;

    @ArquillianResource
    private @Nullable URL beside;

    /** Pages that tell where the server is, and take what Java remembers from the other application. */
    protected static WebArchive beside() {
        return ShrinkWrap.create(WebArchive.class, "beside.war")
                .addAsWebResource(new StringAsset("here"), "index.html")
                .addClasses(RecordsServlet.class, RecordsServlet.Pair.class, RecordsServlet.Side.class);
    }

    /** The sample backend. */
    protected static WebArchive again() {
        return Backend.war("again.war");
    }

    /** The process that the server runs in. */
    protected abstract ServerProcess server();

    @Test
    void application_redeployedTwentyTimes_leavesNoThreadAndNoPileOfClassLoaders() throws URISyntaxException {
        Backend backend = new Backend(Objects.requireNonNull(beside).toURI().resolve("/again"));
        Backend neighbour = new Backend(Objects.requireNonNull(beside).toURI());
        Deployer application = Objects.requireNonNull(deployer);
        ServerProcess server = server();
        for (int i = 0; i < TIMES; i++) {
            application.deploy(AGAIN);
            try {
                SignedClient owner = SignedClient.newAccount(backend.base());
                String session = owner.newSession();
                WatchSocket socket = watching(owner, session, 0);
                owner.message(session, "here again");
                socket.awaitSeq(session, 2);
                if (i == 0) {
                    assertTrue(server.loaded(OURS) > 0, "it can be counted");
                    assertTrue(!server.threadsOfApplications().isEmpty(), "they can be seen");
                }
                application.undeploy(AGAIN);
                assertEquals(1001, socket.awaitClose());
            } catch (Throwable failure) {
                application.undeploy(AGAIN);
                throw failure;
            }
        }
        long start = System.nanoTime();
        List<String> threads = server.threadsOfApplications();
        int loaders = server.loaded(OURS);
        while ((!threads.isEmpty() || loaders > MOST_THAT_STAY) && System.nanoTime() - start < PATIENCE_NANOS) {
            // Threads that have nothing to do go by themselves; nobody tells when.
            neighbour.get("/records");
            threads = server.threadsOfApplications();
            loaders = server.loaded(OURS);
        }
        assertEquals(List.of(), threads);
        assertTrue(loaders <= MOST_THAT_STAY, loaders + " class loaders are left");
    }
}
