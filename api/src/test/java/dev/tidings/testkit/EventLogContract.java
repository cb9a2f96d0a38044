package dev.tidings.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.EntryKind;
import dev.tidings.Head;
import dev.tidings.NewEntry;
import dev.tidings.Payload;
import dev.tidings.RunStatus;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What every {@link dev.tidings.spi.EventLog} does. Threads: one. */
public abstract class EventLogContract extends PortsContract {

    @Test
    void epoch_askedTwice_isTheSame() {
        String epoch = ports().log().epoch();
        assertFalse(epoch.isEmpty());
        assertTrue(epoch.length() <= 64);
        assertEquals(epoch, ports().log().epoch());
    }

    @Test
    void read_unknownStream_isEmpty() {
        StreamKey unknown = StreamKey.session(fresh("none"));
        assertEquals(List.of(), all(unknown));
        assertEquals(Head.EMPTY, ports().log().head(unknown));
        assertEquals(0, ports().log().positionAfterSeq(unknown, 0));
    }

    /** Ids are compared byte for byte: another case, a space behind, a NUL and a look-alike name other streams. */
    @Test
    void read_idThatIsAlmostTheSame_isAnotherStream() {
        StreamKey session = newSession();
        inTransaction(() -> ports().writer().append(session, event("e", "{}")));
        for (String other : List.of(
                session.id().toUpperCase(Locale.ROOT),
                session.id() + " ",
                session.id() + "\0",
                session.id().replaceFirst("e", "\u00e9"))) {
            assertEquals(List.of(), all(StreamKey.session(other)));
            assertEquals(Head.EMPTY, ports().log().head(StreamKey.session(other)));
            assertTrue(ports().directory().session(other).isEmpty());
        }
    }

    @Test
    void read_afterPosition_givesWhatComesBehind() {
        StreamKey session = tenEvents();
        List<StoredEntry> page = ports().log().read(session, 7, 100, Integer.MAX_VALUE);
        assertEquals(
                List.of(8L, 9L, 10L), page.stream().map(StoredEntry::position).toList());
        assertEquals(List.of(), ports().log().read(session, 10, 100, Integer.MAX_VALUE));
        assertEquals(List.of(), ports().log().read(session, 1_000, 100, Integer.MAX_VALUE));
    }

    @Test
    void read_maxEntries_limitsThePage() {
        StreamKey session = tenEvents();
        List<StoredEntry> page = ports().log().read(session, 2, 3, Integer.MAX_VALUE);
        assertEquals(
                List.of(3L, 4L, 5L), page.stream().map(StoredEntry::position).toList());
    }

    @Test
    void read_maxBytes_limitsThePageButNeverToNothing() {
        StreamKey session = tenEvents();
        int size = all(session).get(0).payload().size();
        assertEquals(3, ports().log().read(session, 0, 100, 3 * size).size());
        assertEquals(2, ports().log().read(session, 0, 100, 3 * size - 1).size());
        assertEquals(1, ports().log().read(session, 0, 100, 0).size());
        assertEquals(4, ports().log().read(session, 3, 100, 1).get(0).position());
    }

    @Test
    void read_entry_comesBackAsItWasGiven() {
        StreamKey session = newSession();
        String run = fresh("run");
        NewEntry given =
                new NewEntry("\u00e9\uD83D\uDE00", EntryKind.RUN_STARTED, false, Payload.of("[1]"), run, 1L << 53);
        inTransaction(() -> ports().writer().append(session, given));
        assertEquals(
                List.of(new StoredEntry(
                        session, 1, 0, given.id(), given.kind(), given.payload(), run, given.createdAt())),
                all(session));
    }

    /** 64-bit integers, NUL and large payloads survive as the bytes that they were. */
    @Test
    void read_payloadsThatBreakOthers_comeBackByteForByte() {
        StreamKey session = newSession();
        List<Payload> payloads = List.of(
                Payload.of("{\"n\":18446744073709551615,\"m\":-9223372036854775808,\"f\":1e400}"),
                Payload.of("{\"nul\":\"\\u0000\",\"bytes\":{\"/\":{\"bytes\":\"AAH/\"}}}"),
                Payload.of("{\"text\":\"" + "\u00fc\uD83D\uDE00 '\\\\ ? ?1 :x $1 %".repeat(40) + "\"}"),
                Payload.of("\"" + "x".repeat(100 * 1024) + "\""),
                Payload.of("\"" + "y".repeat(1024 * 1024) + "\""),
                Payload.of("\"" + "z".repeat(12 * 1024 * 1024) + "\""));
        inTransaction(() -> {
            for (Payload payload : payloads) {
                ports().writer().append(session, new NewEntry(fresh("e"), EntryKind.EVENT, true, payload, null, 1));
            }
        });
        assertEquals(payloads, all(session).stream().map(StoredEntry::payload).toList());
    }

    @Test
    void heads_severalStreams_countEntriesAndNumbers() {
        StreamKey session = newSession();
        StreamKey empty = newSession();
        StreamKey tree = StreamKey.run(newRun(null, null, RunStatus.QUEUED));
        inTransaction(() -> {
            ports().writer().append(session, delta("d"));
            ports().writer().append(session, event("e", "{}"));
            ports().writer().append(tree, journal("j", tree.id()));
        });
        Map<StreamKey, Head> heads =
                ports().log().heads(List.of(session, empty, tree, StreamKey.session(fresh("none"))));
        assertEquals(new Head(2, 1), heads.get(session));
        assertEquals(1, heads.getOrDefault(tree, Head.EMPTY).position());
        assertEquals(Head.EMPTY, heads.getOrDefault(empty, Head.EMPTY));
        assertEquals(new Head(2, 1), ports().log().head(session));
        assertEquals(Map.of(), ports().log().heads(List.of()));
    }

    @Test
    void heads_aThousandStreams_areAnsweredAtOnce() {
        StreamKey session = newSession();
        inTransaction(() -> ports().writer().append(session, event("e", "{}")));
        List<StreamKey> many = new ArrayList<>(List.of(session));
        for (int i = 0; i < 1_000; i++) {
            many.add(StreamKey.session(fresh("none")));
        }
        assertEquals(new Head(1, 1), ports().log().heads(many).get(session));
    }

    @Test
    void positionAfterSeq_numbersBetweenDeltas_findsTheLastNumberedEntry() {
        StreamKey session = newSession();
        inTransaction(() -> {
            ports().writer().append(session, delta("d1"));
            ports().writer().append(session, event("e1", "{}"));
            ports().writer().append(session, delta("d2"));
            ports().writer().append(session, delta("d3"));
            ports().writer().append(session, event("e2", "{}"));
            ports().writer().append(session, delta("d4"));
        });
        assertEquals(0, ports().log().positionAfterSeq(session, 0));
        assertEquals(2, ports().log().positionAfterSeq(session, 1));
        assertEquals(5, ports().log().positionAfterSeq(session, 2));
        assertEquals(6, ports().log().positionAfterSeq(session, 3));
        assertEquals(6, ports().log().positionAfterSeq(session, Long.MAX_VALUE));
    }

    private StreamKey tenEvents() {
        StreamKey session = newSession();
        inTransaction(() -> {
            for (int i = 10; i < 20; i++) {
                ports().writer().append(session, event("e" + i, "{\"n\":" + i + "}"));
            }
        });
        return session;
    }
}
