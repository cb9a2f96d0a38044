package dev.tidings.transport.undertow;

import dev.tidings.transport.Door;
import dev.tidings.transport.DoorFinder;
import jakarta.websocket.Session;
import org.jspecify.annotations.Nullable;

/** Finds the doors of Undertow's sockets. Public for the service loader; not API. */
public final class UndertowDoors implements DoorFinder {

    /** For the service loader. */
    public UndertowDoors() {}

    @Override
    public String container() {
        return "Undertow";
    }

    /** Elsewhere, or in another version of Undertow, this throws. */
    @Override
    public boolean test() {
        try {
            UndertowDoor.test();
            return true;
        } catch (ReflectiveOperationException anotherVersion) {
            return false;
        }
    }

    @Override
    public @Nullable Door find(Session session) {
        return UndertowDoor.of(session);
    }
}
