package dev.tidings.protocol.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.ApiKey;
import dev.tidings.ApiKeyScope;
import dev.tidings.Payload;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.protocol.http.Auth;
import dev.tidings.protocol.http.HttpRefusal;
import dev.tidings.protocol.http.Pieces;
import dev.tidings.protocol.http.Refused;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Law 12: what is read is what a socket gets; law 6: and only while the reader may see it. */
class TranscriptTest {
    private static final long ALL = Long.MAX_VALUE;

    private final CommandsWorld world = new CommandsWorld(Auth.API_KEY, Turns.QUEUE);
    private final CommandsPorts ports = world.ports(world.tidings.transactions());
    private final SessionsHttp http =
            new SessionsHttp(ports, new Permissions(ports, world.settings), world.exchanges, InstantSource.system());
    private final ApiKey key = world.newKey(new ApiKeyScope.OfSession(CommandsWorld.SESSION));

    private Transcript read(long after, long most) throws Refused {
        return http.read(new Caller.ByKey(key), CommandsWorld.SESSION, after, most);
    }

    private Pieces.Piece next(Transcript transcript) {
        List<Pieces.Piece> made = new ArrayList<>();
        transcript.next(made::add);
        world.run();
        return made.get(0);
    }

    private String whole(Transcript transcript) {
        StringBuilder all = new StringBuilder();
        Pieces.Piece piece = next(transcript);
        while (piece instanceof Pieces.Piece.Some some) {
            all.append(new String(some.utf8(), StandardCharsets.UTF_8));
            piece = next(transcript);
        }
        assertInstanceOf(Pieces.Piece.End.class, piece);
        transcript.close();
        return all.toString();
    }

    /** The events of a transcript as a socket gets them. */
    private String events(long after, long last) {
        List<String> events = new ArrayList<>();
        for (StoredEntry entry :
                world.tidings.log().read(StreamKey.session(CommandsWorld.SESSION), after, 10_000, Integer.MAX_VALUE)) {
            if (entry.position() <= last) {
                events.add(new String(CommandsTranslator.event(entry), StandardCharsets.UTF_8));
            }
        }
        return "[" + String.join(",", events) + "]";
    }

    private static String eventsOf(String transcript) {
        return Objects.requireNonNull(Payload.of(transcript).members().get("events"))
                .text();
    }

    @Test
    void read_severalPages_areTheEventsThatASocketGets() throws Exception {
        for (int i = 0; i < 600; i++) {
            world.store("text " + i);
        }
        assertEquals(events(0, 600), eventsOf(whole(read(0, ALL))));
        assertEquals(events(256, 600), eventsOf(whole(read(256, ALL))));
        assertEquals(events(0, 257), eventsOf(whole(read(0, 257))));
        assertEquals(events(10, 13), eventsOf(whole(read(10, 3))));
        assertEquals("[]", eventsOf(whole(read(600, ALL))));
    }

    /** Law 6: a page is told only while the key is valid; the answer must not look whole. */
    @Test
    void next_keyRevokedBetweenPages_isBroken() throws Exception {
        for (int i = 0; i < 300; i++) {
            world.store("text " + i);
        }
        Transcript transcript = read(0, ALL);
        assertInstanceOf(Pieces.Piece.Some.class, next(transcript));
        world.tidings
                .transactions()
                .run(() -> assertTrue(world.tidings.apiKeysWriter().revoke(key.id())));
        assertInstanceOf(Pieces.Piece.Broken.class, next(transcript));
        transcript.close();
    }

    @Test
    void read_keyRevoked_isRefusedAndHoldsNoPlace() {
        world.tidings.transactions().run(() -> world.tidings.apiKeysWriter().revoke(key.id()));
        for (int i = 0; i < 5; i++) {
            Refused refused = assertThrows(Refused.class, () -> read(0, ALL));
            assertEquals(HttpRefusal.UNAUTHORIZED, refused.refusal());
        }
    }

    @Test
    void create_byTheKeyOfASession_isRefused() {
        Refused refused = assertThrows(Refused.class, () -> http.mayCreate(new Caller.ByKey(key)));
        assertEquals(HttpRefusal.FORBIDDEN, refused.refusal());
    }
}
