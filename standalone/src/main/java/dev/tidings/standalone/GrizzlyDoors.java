package dev.tidings.standalone;

import dev.tidings.transport.Door;
import dev.tidings.transport.DoorFinder;
import jakarta.websocket.Session;
import org.jspecify.annotations.Nullable;

/** Finds the doors that {@link UpgradeServlet} leaves in the sessions it opens. Public for the service loader; not API. */
public final class GrizzlyDoors implements DoorFinder {

    /** For the service loader. */
    public GrizzlyDoors() {}

    @Override
    public String container() {
        return "Grizzly";
    }

    @Override
    public boolean test() {
        // The server is ours: its classes are those it was built with.
        return true;
    }

    @Override
    public @Nullable Door find(Session session) {
        return session.getUserProperties().get(Door.PROPERTY) instanceof Door door ? door : null;
    }
}
