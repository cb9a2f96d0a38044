package dev.tidings.servers.blackbox;

import java.io.File;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.URL;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.arquillian.test.spi.LifecycleMethodExecutor;
import org.jboss.arquillian.test.spi.TestRunnerAdaptor;
import org.jboss.arquillian.test.spi.TestRunnerAdaptorBuilder;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.jspecify.annotations.Nullable;

/**
 * The server that Arquillian manages here.
 *
 * <p>Arquillian's own extension deploys for every test class, and the suites are many nested ones; so it is told of one class,
 * this one, and the suites know nothing of it.
 *
 * <p>Threads: any, one at a time. Public for Arquillian; not API.
 */
public final class ArquillianServer implements BlackBoxServer {
    private final TestRunnerAdaptor arquillian;

    /** Arquillian keeps to the thread that it was begun on; tests are on several. */
    private final ExecutorService itsThread = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "arquillian");
        thread.setDaemon(true);
        return thread;
    });

    // Volatile: Arquillian sets it on its thread.
    @ArquillianResource
    private volatile @Nullable URL deployment;

    private ArquillianServer() {
        this.arquillian = onItsThread(TestRunnerAdaptorBuilder::build);
    }

    /** The WAR as it was built. */
    @Deployment(testable = false)
    public static WebArchive war() {
        String war = Objects.requireNonNull(System.getProperty("blackbox.war"), "blackbox.war");
        return ShrinkWrap.createFromZipFile(WebArchive.class, new File(war));
    }

    /** Starts the server and deploys the WAR. */
    public static ArquillianServer start() {
        ArquillianServer server = new ArquillianServer();
        server.calm(server.arquillian::beforeSuite);
        server.deploy();
        return server;
    }

    @Override
    public URI base() {
        String url = Objects.requireNonNull(deployment).toString();
        return URI.create(url.replaceFirst("/$", ""));
    }

    @Override
    public void restart() {
        undeploy();
        deploy();
    }

    @Override
    public void close() {
        try {
            undeploy();
            calm(arquillian::afterSuite);
            calm(arquillian::shutdown);
        } finally {
            itsThread.shutdown();
        }
    }

    private void deploy() {
        calm(() -> {
            arquillian.beforeClass(ArquillianServer.class, LifecycleMethodExecutor.NO_OP);
            // Sets the field; a method is asked for, whichever.
            Method any = ArquillianServer.class.getMethod("base");
            arquillian.before(this, any, LifecycleMethodExecutor.NO_OP);
            arquillian.after(this, any, LifecycleMethodExecutor.NO_OP);
        });
    }

    private void undeploy() {
        calm(() -> arquillian.afterClass(ArquillianServer.class, LifecycleMethodExecutor.NO_OP));
    }

    private interface Step {
        void run() throws Exception;
    }

    private void calm(Step step) {
        onItsThread(() -> {
            step.run();
            return true;
        });
    }

    private <T> T onItsThread(Callable<T> step) {
        try {
            return itsThread.submit(step).get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException known) {
                throw known;
            }
            throw new IllegalStateException("Arquillian failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
