package dev.tidings.standalone;

import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.spi.CDI;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import org.glassfish.tyrus.core.ComponentProvider;

/**
 * Gives Tyrus its endpoints, encoders and decoders from CDI when they are beans. Public for the service loader; not API.
 *
 * <p>Threads: safe for use by many threads.
 */
public final class CdiComponentProvider extends ComponentProvider {
    private final Map<Object, Instance.Handle<?>> handles = Collections.synchronizedMap(new IdentityHashMap<>());

    @Override
    public boolean isApplicable(Class<?> type) {
        try {
            return CDI.current().select(type).isResolvable();
        } catch (IllegalStateException e) {
            return false; // no CDI container is running: Tyrus calls the constructor
        }
    }

    @Override
    public <T> Object create(Class<T> type) {
        Instance.Handle<T> handle = CDI.current().select(type).getHandle();
        T instance = handle.get();
        handles.put(instance, handle);
        return instance;
    }

    @Override
    public boolean destroy(Object instance) {
        Instance.Handle<?> handle = handles.remove(instance);
        if (handle == null) {
            return false;
        }
        // A handle of a shared bean destroys it for everybody; only what was made for one session goes with it.
        if (handle.getBean().getScope() == jakarta.enterprise.context.Dependent.class) {
            handle.destroy();
        }
        return true;
    }
}
