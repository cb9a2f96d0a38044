package dev.tidings.protocol.agents;

import static dev.tidings.protocol.agents.HttpBench.map;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.EntryKind;
import dev.tidings.NewEntry;
import dev.tidings.Payload;
import dev.tidings.StreamKey;
import dev.tidings.envelope.CborValue;
import dev.tidings.envelope.CborValue.MapValue;
import dev.tidings.envelope.EnvelopeFixtures.Signer;
import dev.tidings.event.SessionChanged;
import dev.tidings.event.SessionDeleted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SessionActionsTest {
    private static final Signer OWNER = Signer.number(1);
    private static final Signer STRANGER = Signer.number(2);

    private final HttpBench bench = new HttpBench();
    private final String agent = bench.agent(OWNER);

    private void append(HttpBench target, String sessionId, EntryKind kind, boolean numbered, String json) {
        target.tidings
                .transactions()
                .run(() -> target.tidings
                        .writer()
                        .append(
                                StreamKey.session(sessionId),
                                new NewEntry(
                                        java.util.UUID.randomUUID().toString(),
                                        kind,
                                        numbered,
                                        Payload.of(json),
                                        null,
                                        target.now())));
    }

    private static List<Long> seqs(HttpBench.Answer answer) {
        return answer.maps("events").stream()
                .map(event -> event.integer("seq").getAsLong())
                .toList();
    }

    @Test
    void createSession_withTitle_belongsToTheOwner() {
        Signer writer = Signer.number(3);
        bench.invite(OWNER, agent, writer, "writer");
        bench.accept(writer, agent);
        bench.hints();

        String id = bench.done(writer, "CreateSession", "agentId", agent, "title", "A title")
                .text("sessionId");

        MapValue session = bench.done(OWNER, "GetSession", "sessionId", id).map("session");
        assertEquals(Optional.of(OWNER.id()), session.text("account"));
        assertEquals(Optional.of("A title"), session.text("title"));
        assertEquals(Optional.of("idle"), session.text("status"));
        assertTrue(bench.committed.stream().anyMatch(e -> e instanceof SessionChanged changed && changed.created()));
        // The socket's half makes the hint of that event; a second one here would be shown twice.
        assertEquals(List.of(), bench.hints());
    }

    @Test
    void createSession_wrongFields_namesThem() {
        bench.call(OWNER, "CreateSession").refuses(400, "invalid_field", "agentId is required");
        bench.call(OWNER, "CreateSession", "agentId", 5).refuses(400, "invalid_field", "agentId must be text");
        bench.call(OWNER, "CreateSession", "agentId", agent, "title", CborValue.NULL)
                .refuses(400, "invalid_field", "title must be text");
        bench.call(OWNER, "CreateSession", "agentId", agent, "title", "x".repeat(501))
                .refuses(400, "invalid_field", "title must be at most 500 characters");
        bench.call(OWNER, "CreateSession", "agentId", agent + "/x").refuses(404, "agent_not_found", "Agent not found");
    }

    @Test
    void getSession_entriesOfAllKinds_showsTheNumberedOnes() {
        String id = bench.session(OWNER, agent);
        append(bench, id, EntryKind.EVENT, true, "{\"type\":\"message\",\"n\":18446744073709551615}");
        append(bench, id, EntryKind.TEXT_DELTA, false, "{\"text\":\"x\"}");
        append(bench, id, EntryKind.EVENT, true, "{\"type\":\"message\",\"n\":2}");

        HttpBench.Answer all = bench.done(OWNER, "GetSession", "sessionId", id);

        assertEquals(List.of(1L, 2L), seqs(all));
        assertEquals("You are a test.", all.text("systemPromptMarkdown"));
        MapValue event = (MapValue) all.maps("events").get(0).member("event").orElseThrow();
        CborValue.IntegerValue number =
                (CborValue.IntegerValue) event.member("n").orElseThrow();
        assertEquals("18446744073709551615", number.value().toString());
        assertFalse(all.has("truncated"));
        assertEquals(List.of(2L), seqs(bench.done(OWNER, "GetSession", "sessionId", id, "afterSeq", 1)));
        assertEquals(List.of(), seqs(bench.done(OWNER, "GetSession", "sessionId", id, "afterSeq", 99)));
    }

    /** A2, check 14: integers above 2^53 − 1 are refused, integral floats at or above 2^53 are not. */
    @Test
    void getSession_afterSeq_checkedLikeOnASocket() {
        String id = bench.session(OWNER, agent);
        String message = "afterSeq must be a non-negative integer";
        for (Object wrong : List.of(-1, "1", true, (1L << 53), new CborValue.FloatValue(1.5))) {
            bench.call(OWNER, "GetSession", "sessionId", id, "afterSeq", wrong).refuses(400, "invalid_field", message);
        }
        bench.done(OWNER, "GetSession", "sessionId", id, "afterSeq", (1L << 53) - 1);
        bench.done(OWNER, "GetSession", "sessionId", id, "afterSeq", new CborValue.FloatValue(9007199254740992d));
    }

    @Test
    void getSession_moreThanAnAnswerHolds_goesOnFromTheLastNumber() {
        AgentsHttpLimits small = HttpBench.limits(1 << 10, Duration.ofMinutes(1));
        HttpBench narrow = new HttpBench(small, Runnable::run, List.of());
        String id = narrow.session(OWNER, narrow.agent(OWNER));
        IntStream.rangeClosed(1, 10)
                .forEach(n -> append(narrow, id, EntryKind.EVENT, true, "{\"text\":\"" + "x".repeat(300) + "\"}"));

        List<Long> seen = new ArrayList<>();
        boolean more = true;
        while (more) {
            long last = seen.isEmpty() ? 0 : seen.get(seen.size() - 1);
            HttpBench.Answer answer = narrow.done(OWNER, "GetSession", "sessionId", id, "afterSeq", last);
            assertTrue(seqs(answer).size() <= 3);
            seen.addAll(seqs(answer));
            more = answer.has("truncated");
        }

        assertEquals(IntStream.rangeClosed(1, 10).mapToObj(n -> (long) n).toList(), seen);
    }

    @Test
    void listSessions_pageByPage_allOnceNewestFirst() {
        List<String> made = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            made.add(bench.session(OWNER, agent));
            // Several share one time, so that the id decides.
            bench.pass(Duration.ofMillis(i % 2));
        }

        List<String> seen = new ArrayList<>();
        HttpBench.Answer page = bench.done(OWNER, "ListSessions", "limit", 2);
        seen.addAll(ids(page));
        while (page.has("nextCursor")) {
            page = bench.done(OWNER, "ListSessions", "limit", 2, "cursor", page.map("nextCursor"));
            seen.addAll(ids(page));
        }

        assertEquals(6, seen.size());
        assertEquals(new HashSet<>(made), new HashSet<>(seen));
        assertEquals(6, ids(bench.done(OWNER, "ListSessions")).size());
        assertEquals(
                Optional.of("owner"),
                bench.done(OWNER, "ListSessions").maps("agents").get(0).text("accessRole"));
    }

    private static List<String> ids(HttpBench.Answer answer) {
        return answer.maps("sessions").stream()
                .map(s -> s.text("id").orElseThrow())
                .toList();
    }

    @Test
    void listSessions_ofAnAgent_itsSessionsOnly() {
        String id = bench.session(OWNER, agent);
        bench.session(OWNER, bench.agent(OWNER));

        assertEquals(List.of(id), ids(bench.done(OWNER, "ListSessions", "agentId", agent)));
        assertEquals(List.of(), ids(bench.done(STRANGER, "ListSessions")));
        bench.call(STRANGER, "ListSessions", "agentId", agent).refuses(404, "agent_not_found", "Agent not found");
        bench.publicRead(OWNER, agent);
        HttpBench.Answer read = bench.done(STRANGER, "ListSessions", "agentId", agent);
        assertEquals(List.of(id), ids(read));
        assertEquals(Optional.of("reader"), read.maps("agents").get(0).text("accessRole"));
    }

    @Test
    void listSessions_wrongFields_namesThem() {
        for (Object wrong : List.of(0, 201, "5")) {
            bench.call(OWNER, "ListSessions", "limit", wrong)
                    .refuses(400, "invalid_field", "limit must be an integer from 1 to 200");
        }
        bench.call(OWNER, "ListSessions", "cursor", "x").refuses(400, "invalid_field", "cursor must be a map");
        bench.call(OWNER, "ListSessions", "cursor", map("updatedBefore", 1))
                .refuses(400, "invalid_field", "cursor.idBefore is required");
        bench.call(OWNER, "ListSessions", "cursor", map("idBefore", "x"))
                .refuses(400, "invalid_field", "cursor.updatedBefore is required");
        assertEquals(
                OptionalLong.empty(),
                bench.done(OWNER, "ListSessions").members().integer("nextCursor"));
    }

    @Test
    void updateSession_title_storedAndMembersHinted() {
        String id = bench.session(OWNER, agent);
        bench.hints();

        HttpBench.Answer answer = bench.done(OWNER, "UpdateSession", "sessionId", id, "title", "New");

        assertEquals(Optional.of("New"), answer.map("session").text("title"));
        assertEquals(List.of("session-updated members"), bench.hints());
        bench.call(OWNER, "UpdateSession", "sessionId", id).refuses(400, "invalid_field", "title is required");
        bench.call(OWNER, "UpdateSession", "sessionId", id, "title", "x".repeat(501))
                .refuses(400, "invalid_field", "title must be at most 500 characters");
    }

    @Test
    void deleteSession_duringALiveRun_cancelledGoneAndToldOnce() {
        String id = bench.session(OWNER, agent);
        append(bench, id, EntryKind.EVENT, true, "{\"type\":\"message\"}");
        String run = bench.runs.active(id);
        bench.hints();
        byte[] body = bench.body(OWNER, "DeleteSession", "sessionId", id);

        HttpBench.Answer answer = HttpBench.decoded(bench.http.message(body));

        assertEquals(id, answer.text("sessionId"));
        assertEquals(agent, answer.text("agentId"));
        assertEquals(List.of(run), bench.runs.cancelled);
        assertEquals(
                List.of(new SessionDeleted(id, agent, Set.of(OWNER.id()))),
                bench.committed.stream()
                        .filter(SessionDeleted.class::isInstance)
                        .toList());
        assertEquals(List.of("session-deleted members"), bench.hints());
        assertEquals(answer, HttpBench.decoded(bench.http.message(body)));
        assertEquals(answer, HttpBench.decoded(bench.otherNode().http.message(body)));
        bench.call(OWNER, "GetSession", "sessionId", id).refuses(404, "session_not_found", "Session not found");
        assertThrows(RuntimeException.class, () -> append(bench, id, EntryKind.EVENT, true, "{\"type\":\"message\"}"));
        assertEquals(List.of(), bench.hints());
    }
}
