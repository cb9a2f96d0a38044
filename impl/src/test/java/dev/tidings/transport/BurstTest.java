package dev.tidings.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.tidings.delivery.Frame;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** RFC 6455, 5.2: what a burst is on the wire. */
class BurstTest {

    /** The three forms of a length, at their ends. */
    @ParameterizedTest
    @CsvSource({"0, 8100", "1, 8101", "125, 817d", "126, 817e007e", "65535, 817effff", "65536, 817f0000000000010000"})
    void wire_length_isInItsShortestForm(int length, String header) {
        byte[] payload = new byte[length];
        Arrays.fill(payload, (byte) 'x');
        byte[] wire = bytes(Burst.of(List.of(Frame.ofUtf8(payload)), null).wire());
        int headerSize = header.length() / 2;
        StringBuilder hex = new StringBuilder();
        for (int i = 0; i < headerSize; i++) {
            hex.append(String.format("%02x", wire[i]));
        }
        assertEquals(header, hex.toString());
        assertArrayEquals(payload, Arrays.copyOfRange(wire, headerSize, wire.length));
    }

    /** Law 1: in order, each whole. */
    @Test
    void wire_severalMessages_followEachOther() {
        Burst burst = Burst.of(List.of(Frame.ofText("a"), Frame.ofText("é"), Frame.ofText("")), null);
        assertArrayEquals(
                new byte[] {(byte) 0x81, 1, 'a', (byte) 0x81, 2, (byte) 0xc3, (byte) 0xa9, (byte) 0x81, 0},
                bytes(burst.wire()));
    }

    @Test
    void wire_binaryForm_isMadeOfBinaryFrames() {
        Burst burst = Burst.of(List.of(Frame.ofText("a")), utf8 -> new byte[] {utf8[0], 7});
        assertArrayEquals(new byte[] {(byte) 0x82, 2, 'a', 7}, bytes(burst.wire()));
    }

    /** The bytes are shared: one socket's reading moves nobody else's position. */
    @Test
    void wire_askedTwice_isTheSame() {
        Burst burst = Burst.of(List.of(Frame.ofText("abc")), null);
        assertArrayEquals(bytes(burst.wire()), bytes(burst.wire()));
        assertFalse(burst.messages().get(0).hasArray(), "nobody can change what all share");
    }

    /** Law 4: a large payload is not copied, for how many sockets so ever; what is small between is joined. */
    @Test
    void wire_largeMessages_areTheirOwnBytes() {
        Frame large = Frame.ofUtf8(new byte[Frame.LARGE_BYTES + 1]);
        Burst burst = Burst.of(List.of(Frame.ofText("a"), Frame.ofText("b"), large, large, Frame.ofText("c")), null);
        List<ByteBuffer> wire = burst.wire();
        assertEquals(
                List.of(3 + 3 + 10, large.size(), 10, large.size(), 3),
                wire.stream().map(ByteBuffer::remaining).toList());
        assertFalse(wire.get(1).hasArray(), "the shared bytes, which nobody can change, and no copy");
        assertFalse(wire.get(3).hasArray());
        byte[] all = bytes(wire);
        assertEquals('c', all[all.length - 1]);
        assertEquals((byte) 0x81, all[all.length - 3]);
        assertEquals((byte) 127, all[7], "the header of the first large one, behind the small ones");
    }

    private static byte[] bytes(List<ByteBuffer> pieces) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (ByteBuffer piece : pieces) {
            while (piece.hasRemaining()) {
                bytes.write(piece.get());
            }
        }
        return bytes.toByteArray();
    }
}
