package dev.tidings.transport.payara;

import dev.tidings.transport.Door;
import dev.tidings.transport.DoorFinder;
import dev.tidings.transport.PayaraConnection;
import dev.tidings.transport.Upgraded;
import jakarta.websocket.Session;
import org.glassfish.grizzly.Connection;
import org.jspecify.annotations.Nullable;

/** Finds the doors of Payara's sockets. Public for the service loader; not API. */
public final class PayaraDoors implements DoorFinder {

    /** For the service loader. */
    public PayaraDoors() {}

    @Override
    public String container() {
        return "Payara";
    }

    /** Elsewhere, or in another version of Payara, this throws. */
    @Override
    public boolean test() {
        try {
            PayaraConnection.test();
            PayaraDoor.test();
            return true;
        } catch (ReflectiveOperationException anotherVersion) {
            return false;
        }
    }

    @Override
    public @Nullable Door find(Session session) {
        PayaraConnection connection = Upgraded.connectionOrNull();
        return connection != null && connection.unwrap() instanceof Connection<?> grizzlys
                ? PayaraDoor.of(grizzlys)
                : null;
    }
}
