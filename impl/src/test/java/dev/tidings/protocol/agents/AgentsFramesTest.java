package dev.tidings.protocol.agents;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidings.EntryKind;
import dev.tidings.Payload;
import dev.tidings.RunActivity;
import dev.tidings.RunUsage;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.delivery.Frame;
import dev.tidings.event.Signal;
import java.util.List;
import org.junit.jupiter.api.Test;

class AgentsFramesTest {

    @Test
    void connected_first_hasTheTime() {
        assertEquals(
                "{\"_\":\"connected\",\"connectedAt\":1796018419284}",
                AgentsFrames.connected(1796018419284L).text());
    }

    @Test
    void translator_numberedEntry_isAnAppend() {
        List<Frame> frames = AgentsTranslator.INSTANCE.frames(entry(StreamKey.session("s1"), 3, EntryKind.EVENT));
        assertEquals(
                List.of(
                        "{\"_\":\"append\",\"key\":\"sessions/s1\",\"event\":{\"id\":\"e\",\"sessionId\":\"s1\",\"seq\":3,"
                                + "\"event\":{\"type\":\"x\"},\"createdAt\":7}}"),
                frames.stream().map(Frame::text).toList());
    }

    @Test
    void translator_failedEnd_isAnAppendToo() {
        assertEquals(
                1,
                AgentsTranslator.INSTANCE
                        .frames(entry(StreamKey.session("s1"), 3, EntryKind.RUN_FINISHED))
                        .size());
    }

    @Test
    void translator_unnumberedEntry_isNothing() {
        for (EntryKind kind : List.of(EntryKind.TEXT_DELTA, EntryKind.RUN_STARTED, EntryKind.RUN_FINISHED)) {
            assertEquals(List.of(), AgentsTranslator.INSTANCE.frames(entry(StreamKey.session("s1"), 0, kind)));
        }
    }

    @Test
    void appendPartial_text_isThePatch() {
        assertEquals(
                "{\"_\":\"appendPartial\",\"key\":\"sessions/s1\",\"partialId\":\"p\",\"patch\":{\"textDelta\":\"hello\"}}",
                AgentsFrames.appendPartial(Signal.Partial.text("s1", "p", "hello"))
                        .text());
        assertEquals(
                "{\"_\":\"appendPartial\",\"key\":\"sessions/s1\",\"partialId\":\"p\",\"patch\":{\"done\":true}}",
                AgentsFrames.appendPartial(Signal.Partial.done("s1", "p")).text());
        assertEquals(
                "{\"_\":\"appendPartial\",\"key\":\"sessions/s1\",\"partialId\":\"p\",\"patch\":{\"usage\":{\"input\":0,"
                        + "\"output\":0,\"cacheRead\":0,\"cacheWrite\":0,\"total\":0},\"activity\":{\"phase\":\"starting\"}}}",
                AgentsFrames.appendPartial(new Signal.Partial(
                                "s1", "p", null, false, RunUsage.ZERO, RunActivity.of(RunActivity.Phase.STARTING)))
                        .text());
    }

    /** Half a character at the end of one delta and half at the start of the next make one in the peer. */
    @Test
    void appendPartial_characterCutInTwo_isEscapedInBoth() {
        assertEquals(
                "{\"_\":\"appendPartial\",\"key\":\"sessions/s1\",\"partialId\":\"p\",\"patch\":{\"textDelta\":\"a\\uD83D\"}}",
                AgentsFrames.appendPartial(Signal.Partial.text("s1", "p", "a\uD83D"))
                        .text());
    }

    @Test
    void error_longKey_isNotRepeated() {
        assertEquals(
                "{\"_\":\"error\",\"message\":\"Session not found\",\"code\":\"session_not_found\",\"key\":\"sessions/s\"}",
                AgentsFrames.error(AgentsRefusal.SESSION_NOT_FOUND, "sessions/s")
                        .text());
        assertEquals(
                "{\"_\":\"error\",\"message\":\"Session not found\",\"code\":\"session_not_found\"}",
                AgentsFrames.error(AgentsRefusal.SESSION_NOT_FOUND, "sessions/" + "s".repeat(2_000))
                        .text());
    }

    private static StoredEntry entry(StreamKey stream, long seq, EntryKind kind) {
        return new StoredEntry(stream, 9, seq, "e", kind, Payload.of("{\"type\":\"x\"}"), "r", 7);
    }
}
