package dev.tidings.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.tidings.delivery.Frame;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What sockets share is what each would have made. */
class BurstsTest {
    private final Bursts bursts = new Bursts();
    private final Frame a = Frame.ofText("a");
    private final Frame b = Frame.ofText("b");

    @Test
    void of_sameFrames_isMadeOnce() {
        Burst first = bursts.of(List.of(a, b), null);
        assertSame(first, bursts.of(List.of(a, b), null));
        assertSame(
                first.wire().get(0).array(),
                bursts.of(List.of(a, b), null).wire().get(0).array());
    }

    @Test
    void of_sameFramesInAnotherForm_isAnother() {
        UnaryOperator<byte[]> form = utf8 -> new byte[] {7};
        Burst text = bursts.of(List.of(a), null);
        Burst binary = bursts.of(List.of(a), form);
        assertNotSame(text, binary);
        assertEquals(List.of(ByteBuffer.wrap(new byte[] {(byte) 0x82, 1, 7})), binary.wire());
        assertEquals(List.of(ByteBuffer.wrap(new byte[] {(byte) 0x81, 1, 'a'})), text.wire());
    }

    /** Laws 1 and 6: however slots collide, a socket gets its own frames in its own order, and no others. */
    @Test
    void of_anyFrames_areThose() {
        long seed = Long.getLong("tidings.bursts.seed", 20261130L);
        System.out.println("tidings.bursts.seed=" + seed);
        Random random = new Random(seed);
        List<Frame> all =
                IntStream.range(0, 6).mapToObj(i -> Frame.ofText("frame " + i)).toList();
        for (int i = 0; i < 20_000; i++) {
            List<Frame> some = random.ints(1 + random.nextInt(4), 0, all.size())
                    .mapToObj(all::get)
                    .toList();
            assertEquals(Burst.of(some, null).wire(), bursts.of(some, null).wire());
        }
    }
}
