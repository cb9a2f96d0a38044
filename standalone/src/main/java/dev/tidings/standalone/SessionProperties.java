package dev.tidings.standalone;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Map;
import org.glassfish.tyrus.core.RequestContext;
import org.glassfish.tyrus.core.TyrusConfiguration;

/**
 * The map of a handshake that Tyrus copies into the session's user properties before @OnOpen.
 *
 * <p>Tyrus gives it to an endpoint's configurator alone, and an endpoint brings its own; on the class path, where this
 * server runs, the package-private way to it is open. Fails when the class is loaded, not at the first socket.
 */
final class SessionProperties {
    private static final MethodHandle CONFIGURATION = configuration();

    private SessionProperties() {}

    static void put(RequestContext handshake, String name, Object value) {
        try {
            properties(handshake).put(name, value);
        } catch (Throwable e) {
            throw new IllegalStateException("Tyrus does not give the properties of a handshake", e);
        }
    }

    private static Map<String, Object> properties(RequestContext handshake) throws Throwable {
        return ((TyrusConfiguration) CONFIGURATION.invokeExact(handshake)).userProperties();
    }

    private static MethodHandle configuration() {
        try {
            return MethodHandles.privateLookupIn(RequestContext.class, MethodHandles.lookup())
                    .findVirtual(
                            RequestContext.class,
                            "getTyrusConfiguration",
                            MethodType.methodType(TyrusConfiguration.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
