package dev.tidings.protocol.agents;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidings.delivery.RecordingSink;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What stands between the engine and the container's sink hides nothing of it. */
class SocketSinkTest {
    private final AgentsWorld world = new AgentsWorld().furnished();

    /** A sink that notes what it is asked. */
    private static final class AskedSink extends RecordingSink {
        final List<String> asked = new ArrayList<>();

        @Override
        public int copies() {
            asked.add("copies");
            return 2;
        }

        @Override
        public boolean prompt() {
            asked.add("prompt");
            return true;
        }
    }

    /** Law 4: copies that nobody tells of are not counted; law 5: who may wait for whom. */
    @Test
    void open_anySink_engineHearsWhatItIs() {
        AskedSink sink = new AskedSink();
        world.face.open(sink, Dialect.PLAIN);
        assertEquals(List.of("copies", "prompt"), sink.asked.stream().sorted().toList());
    }
}
