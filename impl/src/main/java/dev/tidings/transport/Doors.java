package dev.tidings.transport;

import dev.tidings.delivery.Sink;
import jakarta.websocket.Session;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Makes the writer of each socket: through the container's door where there is one, else the portable way.
 *
 * <p>A socket goes the portable way if its connection is encrypted or an extension was negotiated, which would have to see
 * each message. A door that surprises, because a class or method is not there or is another one, is not tried again.
 *
 * <p>Threads: any.
 */
public final class Doors {
    private static final Logger LOG = System.getLogger(Doors.class.getName());

    private final List<DoorFinder> finders;
    private final Executor sends;
    private final Executor blocking;
    private final Consumer<Runnable> atLast;
    private final Bursts bursts = new Bursts();
    private final AtomicBoolean surprised = new AtomicBoolean();

    private Doors(List<DoorFinder> finders, Executor sends, Executor blocking, Consumer<Runnable> atLast) {
        this.finders = finders;
        this.sends = sends;
        this.blocking = blocking;
        this.atLast = atLast;
    }

    /**
     * Every socket goes the portable way.
     *
     * @param sends goes on with a batch when a frame has left; must not run tasks on the caller's thread
     * @param blocking runs what may block; must not run tasks on the caller's thread
     * @param atLast runs what it is given when a send that begins now would have taken too long; it may block
     */
    public static Doors portable(Executor sends, Executor blocking, Consumer<Runnable> atLast) {
        LOG.log(Level.INFO, "messages leave the portable way, as configured");
        return new Doors(List.of(), sends, blocking, atLast);
    }

    /** Sockets go through the doors of this container, if it has some; the parameters as for {@link #portable}. */
    public static Doors found(Executor sends, Executor blocking, Consumer<Runnable> atLast) {
        List<DoorFinder> all = new ArrayList<>();
        try {
            // The class loader of the application, whatever thread this is.
            ServiceLoader.load(DoorFinder.class, Doors.class.getClassLoader()).stream()
                    .forEach(provider -> add(provider, all));
        } catch (RuntimeException | LinkageError | java.util.ServiceConfigurationError broken) {
            LOG.log(Level.DEBUG, "the container's doors cannot be listed", broken);
        }
        return of(all, sends, blocking, atLast);
    }

    private static void add(ServiceLoader.Provider<DoorFinder> provider, List<DoorFinder> to) {
        try {
            to.add(provider.get());
        } catch (RuntimeException | LinkageError | java.util.ServiceConfigurationError broken) {
            LOG.log(Level.DEBUG, "a door is not for this container", broken);
        }
    }

    static Doors of(List<DoorFinder> all, Executor sends, Executor blocking, Consumer<Runnable> atLast) {
        List<DoorFinder> working = all.stream().filter(Doors::works).toList();
        LOG.log(
                Level.INFO,
                working.isEmpty()
                        ? "messages leave the portable way"
                        : "messages leave through the door of "
                                + working.stream().map(DoorFinder::container).collect(Collectors.joining(" and ")));
        return new Doors(working, sends, blocking, atLast);
    }

    private static boolean works(DoorFinder finder) {
        try {
            return finder.test();
        } catch (RuntimeException | LinkageError elsewhere) {
            LOG.log(Level.DEBUG, "this is not " + finder.container() + ", or another version of it", elsewhere);
            return false;
        }
    }

    /**
     * The writer of an open socket.
     *
     * @param binaryForm makes the message of a frame's UTF-8 bytes; null to send these as text
     */
    public Sink sink(Session session, @Nullable UnaryOperator<byte[]> binaryForm) {
        PortableSink portable = new PortableSink(session, sends, blocking, binaryForm);
        PayaraConnection payaras = Upgraded.connectionOrNull();
        if (payaras != null) {
            payaras.patience(atLast);
            session.getUserProperties().put(PortableSink.ABORT, (Runnable) payaras::terminate);
        }
        Door door = doorOrNull(session);
        return door == null ? portable : new DoorSink(door, portable, bursts, binaryForm);
    }

    private @Nullable Door doorOrNull(Session session) {
        if (finders.isEmpty() || surprised.get()) {
            return null;
        }
        try {
            if (session.isSecure() || !session.getNegotiatedExtensions().isEmpty()) {
                return null;
            }
            for (DoorFinder finder : finders) {
                Door door = finder.find(session);
                if (door != null) {
                    return door;
                }
            }
        } catch (LinkageError | ClassCastException surprise) {
            if (surprised.compareAndSet(false, true)) {
                LOG.log(Level.WARNING, "the container's door does not open; messages leave the portable way");
                LOG.log(Level.DEBUG, "the door does not open", surprise);
            }
        } catch (RuntimeException closed) {
            // A session that is gone already refuses to be asked; the next one need not.
            LOG.log(Level.DEBUG, "a socket has no door", closed);
        }
        return null;
    }
}
