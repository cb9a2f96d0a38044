package dev.tidings.transport;

import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Grizzly's connection below a request of Payara, in public methods of public classes, which are in no library that one could
 * name here and are not for every application to see: so they are called by name.
 *
 * <p>Threads: any.
 */
public final class PayaraConnection {
    private static final String FACADE = "org.apache.catalina.connector.RequestFacade";
    private static final String UNWRAPPED = "getUnwrappedCoyoteRequest";
    private static final String GRIZZLYS = "getCoyoteRequest";
    private static final String CONTEXT = "getContext";
    private static final String CONNECTION = "getConnection";
    private static final String CLOSE = "closeSilently";
    private static final String TERMINATE = "terminateSilently";
    private static final String OPEN = "isOpen";

    private final Object connection;
    // Volatile: written while the socket opens, read by whoever closes it.
    private volatile Consumer<Runnable> atLast = task -> {};

    private PayaraConnection(Object connection) {
        this.connection = connection;
    }

    /**
     * Looks for every step of the way from a request to its connection.
     *
     * @throws ReflectiveOperationException if one is missing: this is not Payara, or another version of it
     */
    public static void test() throws ReflectiveOperationException {
        Class<?> facade = Class.forName(FACADE, false, PayaraConnection.class.getClassLoader());
        Class<?> unwrapped = facade.getMethod(UNWRAPPED).getReturnType();
        Class<?> grizzlys = unwrapped.getMethod(GRIZZLYS).getReturnType();
        grizzlys.getMethod(CONTEXT).getReturnType().getMethod(CONNECTION);
    }

    /** The connection of a request that is being served; null if it is none of Payara's. */
    public static @Nullable PayaraConnection ofOrNull(ServletRequest request) {
        ServletRequest inner = request;
        while (inner instanceof ServletRequestWrapper wrapper) {
            inner = wrapper.getRequest();
        }
        try {
            Object connection = inner;
            for (String step : new String[] {UNWRAPPED, GRIZZLYS, CONTEXT, CONNECTION}) {
                if (connection == null) {
                    return null;
                }
                connection = call(connection, step);
            }
            return connection == null ? null : new PayaraConnection(connection);
        } catch (ReflectiveOperationException | RuntimeException anotherContainers) {
            return null;
        }
    }

    /** Grizzly's own object. */
    public Object unwrap() {
        return connection;
    }

    /**
     * Says who is patient with a peer that does not take what waits when this is closed.
     *
     * @param given runs what it is given when that takes too long
     */
    void patience(Consumer<Runnable> given) {
        atLast = given;
    }

    /** Closes it behind what waits to be written; false if that has not left yet, and then not for ever. */
    boolean close() {
        try {
            call(connection, CLOSE);
            boolean open = Boolean.TRUE.equals(call(connection, OPEN));
            if (open) {
                atLast.accept(this::terminate);
            }
            return !open;
        } catch (ReflectiveOperationException anotherVersion) {
            return true;
        }
    }

    /** Closes it at once, whatever waits. */
    void terminate() {
        try {
            call(connection, TERMINATE);
        } catch (ReflectiveOperationException anotherVersion) {
            throw new IllegalStateException("the connection cannot be ended");
        }
    }

    private static @Nullable Object call(Object on, String name) throws ReflectiveOperationException {
        return on.getClass().getMethod(name).invoke(on);
    }
}
