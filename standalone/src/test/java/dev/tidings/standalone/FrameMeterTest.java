package dev.tidings.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidings.standalone.FrameMeter.Verdict;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameMeterTest {
    private static final int LIMIT = 70_000;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 125, 126, 65_535, 65_536, LIMIT})
    void scan_messageWithinLimit_isFineAndUntouched(int length) {
        ByteBuffer bytes = ByteBuffer.wrap(RawClient.frame(true, 2, new byte[length]));
        int all = bytes.remaining();
        assertEquals(Verdict.FINE, new FrameMeter(LIMIT).scan(bytes));
        assertEquals(all, bytes.remaining());
    }

    /** Pings, and pieces that cost more than their bytes; not what a message needs, nor pongs, nor larger pieces. */
    @Test
    void chatter_countsPingsAndSmallPieces() {
        FrameMeter meter = new FrameMeter(LIMIT);
        assertEquals(
                Verdict.FINE,
                meter.scan(join(
                        RawClient.frame(true, 1, new byte[5]),
                        RawClient.frame(true, 9, new byte[0]),
                        RawClient.frame(true, 10, new byte[0]),
                        RawClient.frame(false, 1, new byte[0]),
                        RawClient.frame(false, 0, new byte[0]),
                        RawClient.frame(false, 0, new byte[2_000]),
                        RawClient.frame(true, 0, new byte[0]))));
        assertEquals(3, meter.chatter());
        assertEquals(0, meter.chatter());
    }

    @Test
    void scan_oneByteMore_isTooBigFromItsHeaderOn() {
        ByteBuffer bytes = join(RawClient.frame(true, 1, new byte[5]), RawClient.frame(true, 2, new byte[LIMIT + 1]));
        assertEquals(Verdict.TOO_BIG, new FrameMeter(LIMIT).scan(bytes));
        assertEquals(RawClient.frame(true, 1, new byte[5]).length, bytes.remaining());
    }

    @Test
    void scan_fragmentsTogetherTooBig_isTooBig() {
        ByteBuffer bytes = join(
                RawClient.frame(false, 2, new byte[LIMIT - 1]),
                RawClient.frame(true, 9, new byte[100]),
                RawClient.frame(false, 0, new byte[1]),
                RawClient.frame(true, 0, new byte[1]));
        assertEquals(Verdict.TOO_BIG, new FrameMeter(LIMIT).scan(bytes));
    }

    @Test
    void scan_newMessageAfterFragments_startsFromNothing() {
        ByteBuffer bytes = join(
                RawClient.frame(false, 2, new byte[LIMIT - 1]),
                RawClient.frame(true, 0, new byte[1]),
                RawClient.frame(true, 2, new byte[LIMIT]));
        assertEquals(Verdict.FINE, new FrameMeter(LIMIT).scan(bytes));
    }

    @Test
    void scan_lengthWithHighestBit_isMalformed() {
        byte[] header = {(byte) 0x82, (byte) 0xff, (byte) 0x80, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4};
        assertEquals(Verdict.MALFORMED, new FrameMeter(LIMIT).scan(ByteBuffer.wrap(header)));
    }

    @Test
    void scan_fragmentsWhoseSumOverflows_isTooBig() {
        FrameMeter meter = new FrameMeter(Long.MAX_VALUE);
        ByteBuffer first = ByteBuffer.wrap(RawClient.frame(false, 2, new byte[10]));
        assertEquals(Verdict.FINE, meter.scan(first));
        byte[] header = {(byte) 0x80, (byte) 0xff, 0x7f, -1, -1, -1, -1, -1, -1, -1, 1, 2, 3, 4};
        assertEquals(Verdict.TOO_BIG, meter.scan(ByteBuffer.wrap(header)));
    }

    @Test
    void scan_unmasked_isMalformed() {
        assertEquals(Verdict.MALFORMED, new FrameMeter(LIMIT).scan(ByteBuffer.wrap(new byte[] {(byte) 0x81, 1, 'x'})));
    }

    @Test
    void scan_cutAnywhere_saysTheSame() {
        long seed = Long.getLong("tidings.test.seed", System.nanoTime());
        Random random = new Random(seed);
        for (int round = 0; round < 500; round++) {
            ByteArrayOutputStream sent = new ByteArrayOutputStream();
            int messages = 1 + random.nextInt(5);
            for (int i = 0; i < messages; i++) {
                sent.writeBytes(RawClient.frame(true, 2, new byte[random.nextInt(300)]));
            }
            int fine = sent.size();
            sent.writeBytes(RawClient.frame(true, 2, new byte[301 + random.nextInt(70_000)]));
            FrameMeter meter = new FrameMeter(300);
            int handedOn = 0;
            int at = 0;
            Verdict verdict = Verdict.FINE;
            while (verdict == Verdict.FINE && at < sent.size()) {
                int length = Math.min(1 + random.nextInt(40), sent.size() - at);
                ByteBuffer part = ByteBuffer.wrap(sent.toByteArray(), at, length);
                verdict = meter.scan(part);
                handedOn += part.remaining();
                at += length;
            }
            assertEquals(Verdict.TOO_BIG, verdict, "seed " + seed + ", round " + round);
            // A header cut in two may have gone on in part, never a byte of the payload.
            assertEquals(fine, Math.min(handedOn, fine), "seed " + seed + ", round " + round);
            assertEquals(0, Math.max(0, handedOn - fine - 13), "seed " + seed + ", round " + round);
        }
    }

    private static ByteBuffer join(byte[]... frames) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] frame : frames) {
            all.writeBytes(frame);
        }
        return ByteBuffer.wrap(all.toByteArray());
    }
}
