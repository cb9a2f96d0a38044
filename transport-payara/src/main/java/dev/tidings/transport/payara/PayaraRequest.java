package dev.tidings.transport.payara;

import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import java.lang.reflect.Method;
import org.glassfish.grizzly.Connection;
import org.glassfish.grizzly.filterchain.FilterChainContext;
import org.jspecify.annotations.Nullable;

/**
 * The way from a request of Payara to Grizzly's connection: public methods of public classes, which are in no library to
 * compile against that one could name here, so they are called by name.
 *
 * <p>Threads: any.
 */
final class PayaraRequest {
    private static final String FACADE = "org.apache.catalina.connector.RequestFacade";
    private static final String UNWRAPPED = "getUnwrappedCoyoteRequest";
    private static final String GRIZZLYS = "getCoyoteRequest";
    private static final String CONTEXT = "getContext";

    private PayaraRequest() {}

    /** Looks for every step of the way. */
    static void test() throws ReflectiveOperationException {
        Class<?> facade = Class.forName(FACADE, false, PayaraRequest.class.getClassLoader());
        Class<?> unwrapped = facade.getMethod(UNWRAPPED).getReturnType();
        Class<?> grizzlys = unwrapped.getMethod(GRIZZLYS).getReturnType();
        if (!FilterChainContext.class.isAssignableFrom(
                grizzlys.getMethod(CONTEXT).getReturnType())) {
            throw new NoSuchMethodException(CONTEXT);
        }
    }

    /** The connection of a request that is being served; null if it is none of Payara's. */
    static @Nullable Connection<?> connectionOrNull(ServletRequest request) {
        ServletRequest inner = request;
        while (inner instanceof ServletRequestWrapper wrapper) {
            inner = wrapper.getRequest();
        }
        try {
            Object grizzlys = call(call(inner, UNWRAPPED), GRIZZLYS);
            Object context = call(grizzlys, CONTEXT);
            return context instanceof FilterChainContext known ? known.getConnection() : null;
        } catch (ReflectiveOperationException anotherContainers) {
            return null;
        }
    }

    private static @Nullable Object call(@Nullable Object on, String name) throws ReflectiveOperationException {
        if (on == null) {
            return null;
        }
        Method method = on.getClass().getMethod(name);
        return method.invoke(on);
    }
}
