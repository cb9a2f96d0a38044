package dev.tidings.standalone;

import dev.tidings.demo.DemoData;
import dev.tidings.protocol.conversations.ConversationsDoor;
import dev.tidings.protocol.conversations.ConversationsFace;
import dev.tidings.spi.ApplicationStopping;
import dev.tidings.spi.Counters;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.spi.Unmanaged;
import java.util.ArrayDeque;
import java.util.Deque;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jboss.weld.environment.se.Weld;
import org.jboss.weld.environment.se.WeldContainer;

/**
 * All parts of the process, started in the order in which they need each other and stopped in the reverse one.
 *
 * <p>Threads: {@code start} is called by one thread; {@code stop} by any one, once, after it returned.
 */
final class Server {
    private static final System.Logger LOG = System.getLogger(Server.class.getName());

    private final WebServer web;
    private final Faces faces;
    private final Deque<Runnable> undo;

    private Server(WebServer web, Faces faces, Deque<Runnable> undo) {
        this.web = web;
        this.faces = faces;
        this.undo = undo;
    }

    /** @throws StartFailure if a part cannot start; those that had started are stopped again */
    static Server start(Options options, Faces faces) {
        Deque<Runnable> undo = new ArrayDeque<>();
        try {
            Database.prepare(options.data());
            Transactions.configure(options.data());
            Node.name(options.data());
            Defaults.apply(options);
            Defaults.warning(options, name -> ConfigProvider.getConfig().getOptionalValue(name, String.class))
                    .ifPresent(danger -> LOG.log(System.Logger.Level.WARNING, danger));
            Database database = Database.open(options.data(), options.database(), ConfigProvider.getConfig());
            undo.push(database::close);
            ServerThreads threads = new ServerThreads();
            undo.push(threads::close);
            WeldContainer beans = new Weld()
                    .addServices(new NarayanaTransactionServices())
                    .addExtension(new HostBeans(database, threads))
                    .property(Weld.SHUTDOWN_HOOK_SYSTEM_PROPERTY, false)
                    .initialize();
            undo.push(beans::shutdown);
            beans.select(AfterCommitCheck.class).get().run(Transactions.user());
            beans.select(DemoData.class).get().make(Defaults.loopback(options));
            Faces all = faces.with(
                    beans.select(ConversationsDoor.class).get(),
                    () -> beans.select(ConversationsFace.class).get());
            WebServer web = new WebServer(options.host(), options.port(), all, type -> instance(beans, type));
            undo.push(web::stop);
            web.start();
            undo.push(CountersDoor.open(beans.select(Counters.class).get(), web.port())::close);
            undo.push(AdminDoor.open(
                    options.data(), () -> beans.select(KeyDesk.class).get())::close);
            // First of all, while the sockets are open: the protocols say goodbye in their own way.
            undo.push(() -> beans.event().select(ApplicationStopping.class).fire(new ApplicationStopping()));
            return new Server(web, all, undo);
        } catch (RuntimeException e) {
            undo.forEach(Server::quietly);
            throw e;
        }
    }

    /** As a container does it: a servlet or filter is injected whether or not it is a bean. */
    private static <T> T instance(WeldContainer beans, Class<T> type) {
        Instance<T> bean = beans.select(type);
        return bean.isResolvable()
                ? bean.get()
                : new Unmanaged<>(beans.getBeanManager(), type)
                        .newInstance()
                        .produce()
                        .inject()
                        .postConstruct()
                        .get();
    }

    int port() {
        return web.port();
    }

    /** What it shows, with what the configuration adds. */
    Faces faces() {
        return faces;
    }

    /** Closes the sockets with 1001, then stops the beans, the threads and the database. Blocks for some seconds. */
    void stop() {
        undo.forEach(Server::quietly);
    }

    private static void quietly(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.WARNING, "a part did not stop cleanly", e);
        }
    }
}
