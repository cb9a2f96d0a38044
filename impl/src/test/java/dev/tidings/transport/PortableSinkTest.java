package dev.tidings.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.delivery.Disconnect;
import dev.tidings.delivery.Frame;
import dev.tidings.transport.FakeSession.Way;
import jakarta.websocket.CloseReason;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Law 7: one writer, one send in flight, exactly one end of a batch; no thread waits for a socket. */
@Timeout(60)
class PortableSinkTest {
    private static final int MANY = 100_000;

    private final FakeSession session = new FakeSession();
    private final HandExecutor executor = new HandExecutor();
    private final Ends ends = new Ends();
    private final PortableSink sink = new PortableSink(session.session(), executor, executor, null);

    private static List<Frame> frames(String... texts) {
        return Stream.of(texts).map(Frame::ofText).toList();
    }

    // ---- sending

    @Test
    void send_endsAtOnce_allLeaveInOrder() {
        sink.send(frames("a", "b", "c"), ends);
        assertEquals(List.of("a", "b", "c"), session.texts);
        ends.assertEnds(1, 0);
        assertEquals(1, session.deepest(), "no send from within another's callback");
    }

    /** A socket that agreed on binary messages gets the other form of the same frames. */
    @Test
    void send_binaryForm_leavesAsBinaryMessages() {
        PortableSink binary = new PortableSink(
                session.session(),
                executor,
                executor,
                utf8 -> new String(utf8, StandardCharsets.UTF_8)
                        .toUpperCase(java.util.Locale.ROOT)
                        .getBytes(StandardCharsets.UTF_8));
        binary.send(frames("a", "b"), ends);
        assertEquals(List.of("binary A", "binary B"), session.texts);
        ends.assertEnds(1, 0);
    }

    @Test
    void send_binaryFormFails_isAFailedSend() {
        PortableSink broken = new PortableSink(session.session(), executor, executor, utf8 -> {
            throw new IllegalArgumentException("not one JSON value");
        });
        broken.send(frames("a"), ends);
        ends.assertEnds(0, 1);
    }

    @Test
    void send_endsLater_nextLeavesWhenTheLastHas() {
        session.way = Way.LATER;
        sink.send(frames("a", "b"), ends);
        executor.runAll();
        assertEquals(List.of("a"), session.texts);
        session.end(true);
        assertEquals(List.of("a"), session.texts, "nothing is sent from within a callback");
        executor.runAll();
        assertEquals(List.of("a", "b"), session.texts);
        ends.assertEnds(0, 0);
        session.end(true);
        executor.runAll();
        ends.assertEnds(1, 0);
    }

    /** Law 5: what blocks elsewhere, in a close or a ping, holds up no send. */
    @Test
    void send_blockingThreadsAreBusy_goesOn() {
        HandExecutor busy = new HandExecutor();
        PortableSink other = new PortableSink(session.session(), executor, busy, null);
        session.way = Way.LATER;
        other.send(frames("a", "b"), ends);
        session.end(true);
        executor.runAll();
        session.end(true);
        assertEquals(List.of("a", "b"), session.texts);
        ends.assertEnds(1, 0);
    }

    /** The last frame has left: nothing is to be done that needs a thread. */
    @Test
    void send_lastFrameEndsLater_endsAtOnce() {
        session.way = Way.LATER;
        sink.send(frames("a"), ends);
        session.end(true);
        ends.assertEnds(1, 0);
    }

    @Test
    void ping_noThreadForAMoment_fails() {
        PortableSink other = new PortableSink(
                session.session(),
                executor,
                task -> {
                    throw new OutOfMemoryError("as the test wants");
                },
                null);
        other.ping(ends);
        ends.assertEnds(0, 1);
    }

    @Test
    void send_someEndAtOnceSomeLater_allLeaveInOrder() {
        session.way = Way.LATER;
        sink.send(frames("a", "b", "c"), ends);
        session.way = Way.AT_ONCE;
        session.end(true);
        executor.runAll();
        assertEquals(List.of("a", "b", "c"), session.texts);
        ends.assertEnds(1, 0);
    }

    @Test
    void send_manyThatEndAtOnce_stackStaysFlat() {
        sink.send(Collections.nCopies(MANY, Frame.ofText("x")), ends);
        assertEquals(MANY, session.texts.size());
        assertEquals(1, session.deepest());
        ends.assertEnds(1, 0);
    }

    @Test
    void send_manyThatEndLater_stackStaysFlat() {
        session.way = Way.LATER;
        sink.send(Collections.nCopies(MANY, Frame.ofText("x")), ends);
        while (session.sending()) {
            session.end(true);
            executor.runAll();
        }
        assertEquals(MANY, session.texts.size());
        assertEquals(1, session.deepest());
        ends.assertEnds(1, 0);
    }

    @Test
    void send_nothing_succeeds() {
        sink.send(List.of(), ends);
        ends.assertEnds(1, 0);
    }

    @ParameterizedTest
    @EnumSource(
            value = Way.class,
            names = {"FAILS", "THROWS", "FAILS_AND_THROWS"})
    void send_failsAtOnce_endsOnceAndSendsNoMore(Way way) {
        session.way = way;
        sink.send(frames("a", "b"), ends);
        executor.runAll();
        assertEquals(List.of("a"), session.texts);
        ends.assertEnds(0, 1);
    }

    @ParameterizedTest
    @EnumSource(
            value = Way.class,
            names = {"FAILS", "THROWS", "FAILS_AND_THROWS"})
    void send_failsBehindASendThatEndedLater_endsOnce(Way way) {
        session.way = Way.LATER;
        sink.send(frames("a", "b", "c"), ends);
        session.way = way;
        session.end(true);
        executor.runAll();
        assertEquals(List.of("a", "b"), session.texts);
        ends.assertEnds(0, 1);
    }

    @Test
    void send_failsLater_endsOnceAndSendsNoMore() {
        session.way = Way.LATER;
        sink.send(frames("a", "b"), ends);
        session.end(false);
        executor.runAll();
        assertEquals(List.of("a"), session.texts);
        ends.assertEnds(0, 1);
    }

    @Test
    void send_executorRejectsTheRest_fails() {
        session.way = Way.LATER;
        sink.send(frames("a", "b"), ends);
        executor.rejects = true;
        session.end(true);
        ends.assertEnds(0, 1);
        assertEquals(List.of("a"), session.texts);
    }

    @Test
    void send_neverEnds_abortEndsIt() {
        session.way = Way.LATER;
        sink.send(frames("a", "b"), ends);
        executor.runAll();
        ends.assertEnds(0, 0);
        sink.abort(Disconnect.SLOW);
        executor.runAll();
        ends.assertEnds(0, 1);
    }

    /** The container calls back for a send that was given up; nothing follows it. */
    @ParameterizedTest
    @EnumSource(
            value = Way.class,
            names = {"LATER", "AT_ONCE"})
    void abort_sendEndsBehindIt_endsOnceAndSendsNoMore(Way next) {
        session.way = Way.LATER;
        sink.send(frames("a", "b"), ends);
        sink.abort(Disconnect.SLOW);
        executor.runAll();
        session.way = next;
        session.end(true);
        executor.runAll();
        ends.assertEnds(0, 1);
        assertEquals(List.of("a"), session.texts);
    }

    // ---- pinging

    @Test
    void ping_leavesOnTheExecutor() {
        sink.ping(ends);
        assertEquals(List.of(), session.asked, "a ping may block in some containers");
        executor.runAll();
        assertEquals(List.of("ping"), session.asked);
        ends.assertEnds(1, 0);
    }

    @Test
    void ping_throws_fails() {
        session.way = Way.THROWS;
        sink.ping(ends);
        executor.runAll();
        ends.assertEnds(0, 1);
    }

    @Test
    void ping_executorRejects_fails() {
        executor.rejects = true;
        sink.ping(ends);
        ends.assertEnds(0, 1);
    }

    // ---- closing

    @ParameterizedTest
    @EnumSource(Disconnect.class)
    void close_anyReason_codeAndTextFit(Disconnect reason) {
        sink.close(reason);
        assertEquals(List.of(), session.asked, "closing may block in some containers");
        executor.runAll();
        CloseReason given = session.closeReason();
        assertEquals(reason.code(), given.getCloseCode().getCode());
        assertEquals(reason.reason(), given.getReasonPhrase());
        assertTrue(given.getReasonPhrase().getBytes(StandardCharsets.UTF_8).length <= 123, "RFC 6455, 5.5");
        assertTrue(given.getReasonPhrase().chars().allMatch(c -> c >= ' ' && c <= '~'), "ASCII");
    }

    @Test
    void close_sessionIsGone_isQuiet() {
        session.closed = true;
        sink.close(Disconnect.GOING_AWAY);
        executor.runAll();
        assertEquals(List.of("close"), session.asked);
    }

    @Test
    void close_executorRejects_isQuiet() {
        executor.rejects = true;
        sink.close(Disconnect.GOING_AWAY);
        assertEquals(List.of(), session.asked);
    }

    // ---- aborting

    @Test
    void abort_containerCanDrop_dropsAndNothingElse() {
        session.properties.put(PortableSink.ABORT, (Runnable) () -> session.asked.add("drop"));
        sink.abort(Disconnect.SLOW);
        assertEquals(List.of(), session.asked);
        executor.runAll();
        assertEquals(List.of("drop"), session.asked);
    }

    @Test
    void abort_containerCannotDrop_shortestIdleTimeAndClose() {
        sink.abort(Disconnect.SILENT);
        executor.runAll();
        assertEquals(List.of("idle 1", "close"), session.asked);
        assertEquals(
                Disconnect.SILENT.code(), session.closeReason().getCloseCode().getCode());
    }

    /** A closed session refuses a new idle time; that must neither end the worker nor keep us from closing. */
    @Test
    void abort_sessionIsGone_isQuietAndStillCloses() {
        session.closed = true;
        sink.abort(Disconnect.SLOW);
        executor.runAll();
        assertEquals(List.of("idle 1", "close"), session.asked);
    }

    @Test
    void abort_dropFails_closes() {
        session.properties.put(PortableSink.ABORT, (Runnable) () -> {
            throw new IllegalStateException("the connection is gone");
        });
        sink.abort(Disconnect.SLOW);
        executor.runAll();
        assertEquals(List.of("close"), session.asked);
    }

    @Test
    void abort_twice_isQuiet() {
        session.way = Way.LATER;
        sink.send(frames("a"), ends);
        sink.abort(Disconnect.SLOW);
        sink.abort(Disconnect.SILENT);
        executor.runAll();
        ends.assertEnds(0, 1);
        assertFalse(session.asked.isEmpty());
    }

    @Test
    void abort_executorRejects_sendFails() {
        session.way = Way.LATER;
        sink.send(frames("a"), ends);
        executor.rejects = true;
        sink.abort(Disconnect.SLOW);
        ends.assertEnds(0, 1);
    }

    @Test
    void abort_batchHasEnded_endsItNoSecondTime() {
        sink.send(frames("a"), ends);
        sink.abort(Disconnect.SLOW);
        executor.runAll();
        ends.assertEnds(1, 0);
    }
}
