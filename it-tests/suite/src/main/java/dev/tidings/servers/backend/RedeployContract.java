package dev.tidings.servers.backend;

import static dev.tidings.servers.backend.Backend.watching;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.blackbox.SignedClient;
import dev.tidings.blackbox.WatchSocket;
import dev.tidings.servers.RecordsServlet;
import dev.tidings.servers.plain.PlainBean;
import java.net.URISyntaxException;
import java.net.URL;
import java.util.List;
import java.util.Map;
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
 * An application with Tidings comes and goes, and leaves no thread and no socket in the server, and no more class loaders
 * than one without Tidings, but for a few that threads of the server keep.
 *
 * <p>Threads: one. The three deployments are the subclass's: {@link #beside}, which stays, {@link #again} and {@link #plain},
 * which it does not deploy itself.
 */
@ExtendWith(ArquillianExtension.class)
public abstract class RedeployContract {

    /** The name of the deployment that comes and goes. */
    protected static final String AGAIN = "again";

    /** The name of the deployment without Tidings that comes and goes beside it. */
    protected static final String PLAIN = "plain";

    private static final String OURS = "dev.tidings.wiring.TidingsBeans";
    private static final String THEIRS = PlainBean.class.getName();
    private static final int TIMES = 20;
    private static final int KEPT_BY_THREADS = 3;

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

    /** An application of the same shape, without Tidings. */
    protected static WebArchive plain() {
        return ShrinkWrap.create(WebArchive.class, "plain.war")
                .addPackage(PlainBean.class.getPackage())
                .addAsWebInfResource(new StringAsset(""), "beans.xml");
    }

    /** The process that the server runs in. */
    protected abstract ServerProcess server();

    /** How many threads the server has for requests, or at least more than one client keeps busy. */
    protected abstract int requestThreads();

    @Test
    void application_redeployedTwentyTimes_leavesNoThreadAndNoPileOfClassLoaders() throws URISyntaxException {
        Backend neighbour = new Backend(Objects.requireNonNull(beside).toURI());
        ServerProcess server = server();
        // A thread of WildFly keeps on its stack the request that it was started for, as long as it lives: in heap
        // dumps, EnhancedQueueExecutor$ThreadBody.run has it. So all of them are started for one that stays.
        neighbour.together("/together", requestThreads());
        // Other tests of this server leave some, too.
        int before = moreOfOurs(server.loaded(List.of(OURS, THEIRS)));
        for (int i = 0; i < TIMES; i++) {
            boolean first = i == 0;
            comesAndGoes(PLAIN, application -> {
                PlainClient client = PlainClient.of(application);
                assertTrue(!first || server.loaded(THEIRS) > 0, "it can be counted");
                return client::end;
            });
            comesAndGoes(AGAIN, application -> {
                SignedClient owner = SignedClient.newAccount(application.base());
                String session = owner.newSession();
                WatchSocket socket = watching(owner, session, 0);
                owner.message(session, "here again");
                socket.awaitSeq(session, 2);
                assertTrue(!first || server.loaded(OURS) > 0, "it can be counted");
                assertTrue(!first || !server.threadsOfApplications().isEmpty(), "they can be seen");
                return () -> assertEquals(1001, socket.awaitClose());
            });
        }
        long start = System.nanoTime();
        List<String> threads = server.threadsOfApplications();
        Map<String, Integer> loaders = server.loaded(List.of(OURS, THEIRS));
        while ((!threads.isEmpty() || moreOfOurs(loaders) - before > KEPT_BY_THREADS)
                && System.nanoTime() - start < PATIENCE_NANOS) {
            // Threads that have nothing to do go by themselves; nobody tells when.
            neighbour.together("/records", requestThreads());
            threads = server.threadsOfApplications();
            loaders = server.loaded(List.of(OURS, THEIRS));
        }
        assertEquals(List.of(), threads);
        // What is left of the other application, the server leaves of any. A thread that was started while ours
        // was there may keep one more; a leak would keep all of them.
        int kept = moreOfOurs(loaders) - before;
        System.out.println("class loaders kept after " + TIMES + " redeployments: " + kept);
        assertTrue(kept <= KEPT_BY_THREADS, "class loaders are left: " + loaders);
    }

    private static int moreOfOurs(Map<String, Integer> loaders) {
        return loaders.getOrDefault(OURS, 0) - loaders.getOrDefault(THEIRS, 0);
    }

    /** Uses an application that is there, and gives what is to be awaited when it has gone. */
    private interface Use {
        Runnable of(Backend application);
    }

    private void comesAndGoes(String name, Use use) throws URISyntaxException {
        Deployer applications = Objects.requireNonNull(deployer);
        applications.deploy(name);
        Runnable gone;
        try {
            gone = use.of(new Backend(Objects.requireNonNull(beside).toURI().resolve("/" + name)));
        } finally {
            applications.undeploy(name);
        }
        gone.run();
    }
}
