package dev.tidings.protocol.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tidings.protocol.http.Auth;
import dev.tidings.protocol.http.HttpRefusal;
import dev.tidings.protocol.http.Refused;
import dev.tidings.spi.Directory.SessionQuery;
import dev.tidings.spi.Transactions;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Sessions over HTTP, over the ports in memory. */
class SessionsHttpTest {

    /** Law 5 shares places among holders; where nobody is told apart there is one, and it has them all. */
    @Test
    void read_byAnybody_hasAllPlaces() throws Exception {
        CommandsWorld world = new CommandsWorld(Auth.NONE, Turns.QUEUE);
        Caller anybody = new Caller.Anybody();
        for (int i = 0; i < CommandsWorld.MAX_TRANSCRIPTS; i++) {
            world.face.http().read(anybody, CommandsWorld.SESSION, 0, 1);
        }
        Refused refused =
                assertThrows(Refused.class, () -> world.face.http().read(anybody, CommandsWorld.SESSION, 0, 1));
        assertEquals(HttpRefusal.BUSY, refused.refusal());
    }

    /** A session of an agent that is gone would be nobody's to read or to delete. */
    @Test
    void create_agentDeletedMeanwhile_makesNothing() {
        CommandsWorld world = new CommandsWorld(Auth.NONE, Turns.QUEUE);
        Transactions behindADeletion = new Transactions() {
            @Override
            public <T> T required(Supplier<T> work) {
                world.tidings
                        .transactions()
                        .run(() -> world.tidings.directoryWriter().deleteAgent(CommandsWorld.AGENT));
                return world.tidings.transactions().required(work);
            }

            @Override
            public <T> T requiresNew(Supplier<T> work) {
                return required(work);
            }
        };
        CommandsPorts ports = world.ports(behindADeletion);
        SessionsHttp http = new SessionsHttp(
                ports, new Permissions(ports, world.settings), world.exchanges, InstantSource.system());

        Refused refused = assertThrows(Refused.class, () -> http.create(new Caller.Anybody(), new byte[0]));

        assertEquals(HttpRefusal.NOT_FOUND, refused.refusal());
        assertEquals(
                List.of(),
                world.tidings.directory().sessions(new SessionQuery("owner", CommandsWorld.AGENT, null, null, 10)));
    }
}
