package dev.tidings.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.tidings.delivery.Frame;
import dev.tidings.delivery.Sink;
import jakarta.websocket.Extension;
import jakarta.websocket.Session;
import java.util.List;
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

    private Sink sink(DoorFinder... finders) {
        return Doors.of(List.of(finders), executor, executor).sink(session.session(), null);
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
    void sink_surprise_isPortable() {
        assertPortable(sink(new Finder(true, () -> {
            throw new NoSuchMethodError("of another version");
        })));
        session.texts.clear();
        assertPortable(sink(new Finder(true, () -> {
            throw new ClassCastException("a wrapper");
        })));
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
