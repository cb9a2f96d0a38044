package dev.tidings.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.tidings.delivery.Frame;
import dev.tidings.delivery.Sink;
import jakarta.websocket.Extension;
import jakarta.websocket.Session;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A door is used where it works, and costs nothing but speed where it does not. */
class DoorsTest {
    private final FakeSession session = new FakeSession();
    private final FakeDoor door = new FakeDoor();
    private final HandExecutor executor = new HandExecutor();

    /** A finder that does what the test says. */
    private record Finder(boolean passes, Supplier<@Nullable Door> finds) implements DoorFinder {
        @Override
        public String container() {
            return "test";
        }

        @Override
        public boolean test() {
            if (!passes) {
                throw new NoClassDefFoundError("of another container");
            }
            return true;
        }

        @Override
        public @Nullable Door find(Session session) {
            return finds.get();
        }
    }

    private Doors doors(DoorFinder... finders) {
        return Doors.of(List.of(finders), executor, executor, task -> {});
    }

    private Sink sink(DoorFinder... finders) {
        return doors(finders).sink(session.session(), null);
    }

    private void assertPortable(Sink sink) {
        assertInstanceOf(PortableSink.class, sink);
        Ends ends = new Ends();
        sink.send(List.of(Frame.ofText("a")), ends);
        assertEquals(List.of("a"), session.texts);
        ends.assertEnds(1, 0);
    }

    @Test
    void sink_doorIsThere_goesThroughIt() {
        sink(new Finder(true, () -> null), new Finder(true, () -> door)).send(List.of(Frame.ofText("a")), new Ends());
        assertEquals(List.of("text a"), door.writes);
    }

    @Test
    void sink_noFinder_isPortable() {
        assertPortable(sink());
    }

    @Test
    void sink_anotherContainer_isPortable() {
        assertPortable(sink(new Finder(false, () -> door)));
    }

    @Test
    void sink_noDoorInThisSocket_isPortable() {
        assertPortable(sink(new Finder(true, () -> null)));
    }

    @Test
    void sink_surprise_isPortableFromThenOn() {
        AtomicInteger asked = new AtomicInteger();
        Doors doors = doors(new Finder(true, () -> {
            asked.incrementAndGet();
            throw new NoSuchMethodError("of another version");
        }));
        assertPortable(doors.sink(session.session(), null));
        session.texts.clear();
        assertPortable(doors.sink(session.session(), null));
        assertEquals(1, asked.get());
    }

    @Test
    void sink_wrappedSession_isPortable() {
        assertPortable(sink(new Finder(true, () -> {
            throw new ClassCastException("a wrapper");
        })));
    }

    /** One that closed while it opened says nothing about the others. */
    @Test
    void sink_sessionGone_othersStillHaveTheirDoor() {
        AtomicInteger asked = new AtomicInteger();
        Doors doors = doors(new Finder(true, () -> {
            if (asked.incrementAndGet() == 1) {
                throw new IllegalStateException("the session is closed");
            }
            return door;
        }));
        assertPortable(doors.sink(session.session(), null));
        doors.sink(session.session(), null).send(List.of(Frame.ofText("b")), new Ends());
        assertEquals(List.of("text b"), door.writes);
    }

    /** An extension has to see each message: deflated ones would be mixed with plain ones. */
    @Test
    void sink_extensionNegotiated_isPortable() {
        session.extensions = List.of(new Extension() {
            @Override
            public String getName() {
                return "permessage-deflate";
            }

            @Override
            public List<Parameter> getParameters() {
                return List.of();
            }
        });
        assertPortable(sink(new Finder(true, () -> door)));
    }

    @Test
    void sink_encrypted_isPortable() {
        session.secure = true;
        assertPortable(sink(new Finder(true, () -> door)));
    }
}
