package dev.tidings.protocol.agents;

import static dev.tidings.protocol.agents.HttpBench.map;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.AgentInfo;
import dev.tidings.envelope.CborValue;
import dev.tidings.envelope.EnvelopeFixtures.Signer;
import dev.tidings.event.AccountHint;
import dev.tidings.event.AgentDeleted;
import dev.tidings.event.GrantChanged;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AgentActionsTest {
    private static final Signer OWNER = Signer.number(1);
    private static final Signer OTHER = Signer.number(2);

    private final HttpBench bench = new HttpBench();

    @Test
    void createAgent_definition_storedAsGivenAndHinted() {
        CborValue large = new CborValue.IntegerValue(BigInteger.TWO.pow(64).subtract(BigInteger.ONE));
        String id = bench.done(
                        OWNER,
                        "CreateAgent",
                        "definition",
                        map("name", "A\0gent", "large", large, "raw", CborValue.bytes(new byte[] {1, 2})))
                .text("agentId");

        AgentInfo agent = bench.tidings.directory().agent(id).orElseThrow().value();
        assertEquals(OWNER.id(), agent.account());
        assertEquals(
                "{\"name\":\"A\\u0000gent\",\"large\":18446744073709551615,\"raw\":{\"/\":{\"bytes\":\"AQI\"}}}"
                        .length(),
                agent.definition().text().length());
        assertTrue(agent.definition().text().contains("\"large\":18446744073709551615"));
        assertTrue(agent.definition().text().contains("{\"/\":{\"bytes\":\"AQI\"}}"));
        assertEquals(List.of("agent-created " + OWNER.id()), bench.hints());
    }

    @Test
    void createAgent_definitionMissingOrWrong_namesTheField() {
        bench.call(OWNER, "CreateAgent").refuses(400, "invalid_field", "definition is required");
        bench.call(OWNER, "CreateAgent", "definition", "x").refuses(400, "invalid_field", "definition must be a map");
        bench.call(OWNER, "CreateAgent", "definition", map("name", 7))
                .refuses(400, "invalid_field", "definition.name is required");
        bench.call(OWNER, "CreateAgent", "definition", map("name", " "))
                .refuses(400, "invalid_field", "definition.name is required");
        bench.call(OWNER, "CreateAgent", "definition", map("name", "A"), "clientRequestId", "")
                .refuses(400, "invalid_field", "clientRequestId must not be empty");
        assertEquals(0, bench.agentsOf(OWNER));
    }

    @Test
    void listAgents_ownedAndAccepted_withTheRoleOfWhoAsks() {
        String first = bench.agent(OWNER);
        bench.agent(OTHER);
        bench.invite(OWNER, first, OTHER, "writer");
        assertEquals(1, bench.done(OTHER, "ListAgents").maps("agents").size());

        bench.accept(OTHER, first);
        List<CborValue.MapValue> agents = bench.done(OTHER, "ListAgents").maps("agents");

        assertEquals(2, agents.size());
        assertEquals(
                List.of("owner", "writer"),
                agents.stream()
                        .map(a -> a.text("accessRole").orElseThrow())
                        .sorted()
                        .toList());
    }

    @Test
    void listAgents_pageByPage_allOnceOldestFirst() {
        List<String> made = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            made.add(bench.agent(OWNER));
            bench.pass(Duration.ofMillis(i % 2));
        }
        List<String> seen = new ArrayList<>();
        HttpBench.Answer page = bench.done(OWNER, "ListAgents", "limit", 2);
        seen.addAll(ids(page));
        while (page.has("nextCursor")) {
            page = bench.done(OWNER, "ListAgents", "limit", 2, "cursor", page.map("nextCursor"));
            seen.addAll(ids(page));
        }
        assertEquals(5, seen.size());
        assertEquals(new HashSet<>(made), new HashSet<>(seen));
        HttpBench.Answer all = bench.done(OWNER, "ListAgents");
        assertEquals(seen, ids(all));
        assertFalse(all.has("nextCursor"));
    }

    /** Law 4: one answer is bounded, however many agents there are. */
    @Test
    void listAgents_moreThanAnAnswerHolds_cursorLeadsOn() {
        HttpBench narrow = new HttpBench(HttpBench.limits(1 << 10, Duration.ofMinutes(1)), Runnable::run, List.of());
        for (int i = 0; i < 6; i++) {
            narrow.done(OWNER, "CreateAgent", "definition", map("name", "A", "systemPrompt", "x".repeat(300)));
        }
        HttpBench.Answer first = narrow.done(OWNER, "ListAgents");
        assertTrue(ids(first).size() < 6);
        List<String> seen = new ArrayList<>(ids(first));
        HttpBench.Answer page = first;
        while (page.has("nextCursor")) {
            page = narrow.done(OWNER, "ListAgents", "cursor", page.map("nextCursor"));
            seen.addAll(ids(page));
        }
        assertEquals(6, new HashSet<>(seen).size());
        assertEquals(6, seen.size());
    }

    private static List<String> ids(HttpBench.Answer answer) {
        return answer.maps("agents").stream()
                .map(a -> a.text("id").orElseThrow())
                .toList();
    }

    @Test
    void getAgent_readable_withItsSessions() {
        String agent = bench.agent(OWNER);
        String session = bench.session(OWNER, agent);
        bench.session(OWNER, bench.agent(OWNER));

        HttpBench.Answer answer = bench.done(OWNER, "GetAgent", "agentId", agent);

        assertEquals(Optional.of("owner"), answer.map("agent").text("accessRole"));
        assertEquals(
                List.of(session),
                answer.maps("sessions").stream()
                        .map(s -> s.text("id").orElseThrow())
                        .toList());
    }

    @Test
    void updateAgent_newDefinition_storedAndMembersHinted() {
        String agent = bench.agent(OWNER);
        bench.hints();
        bench.pass(Duration.ofSeconds(1));

        HttpBench.Answer answer =
                bench.done(OWNER, "UpdateAgent", "agentId", agent, "definition", map("name", "New", "n", 7));

        assertEquals(
                OptionalLong.of(7),
                answer.map("agent").map("definition").orElseThrow().integer("n"));
        assertEquals(OptionalLong.of(bench.now()), answer.map("agent").integer("updatedAt"));
        assertEquals(List.of("agent-updated members"), bench.hints());
        bench.call(OWNER, "UpdateAgent", "agentId", agent, "definition", map("name", " "))
                .refuses(400, "invalid_field", "definition.name is required");
        bench.call(OWNER, "UpdateAgent", "agentId", agent, "definition", map("name", "N", "x", "y".repeat(65536)))
                .refuses(400, "invalid_field", "definition has more than 65536 bytes as JSON");
    }

    /** Law 6: the row's own event ends what public readers see. */
    @Test
    void setPublicRead_onAndOff_opensAndEnds() {
        String agent = bench.agent(OWNER);
        bench.hints();

        HttpBench.Answer answer = bench.done(OWNER, "SetAgentPublicRead", "agentId", agent, "publicRead", true);
        assertEquals(Optional.of(CborValue.bool(true)), answer.map("agent").member("publicRead"));
        assertTrue(bench.committed.contains(GrantChanged.publicRead(agent, true)));
        assertEquals(List.of("agent-collaborators-changed " + OWNER.id()), bench.hints());
        bench.done(OTHER, "GetAgent", "agentId", agent);

        bench.done(OWNER, "SetAgentPublicRead", "agentId", agent, "publicRead", false);
        assertTrue(bench.committed.contains(GrantChanged.publicRead(agent, false)));
        bench.call(OTHER, "GetAgent", "agentId", agent).refuses(404, "agent_not_found", "Agent not found");
        bench.call(OWNER, "SetAgentPublicRead", "agentId", agent, "publicRead", "yes")
                .refuses(400, "invalid_field", "publicRead must be true or false");
    }

    @Test
    void deleteAgent_withGuestsAndRuns_cancelledGoneAndToldOnce() {
        String agent = bench.agent(OWNER);
        String session = bench.session(OWNER, agent);
        bench.invite(OWNER, agent, OTHER, "reader");
        bench.accept(OTHER, agent);
        String run = bench.runs.active(session);
        bench.hints();
        byte[] body = bench.body(OWNER, "DeleteAgent", "agentId", agent);

        HttpBench.Answer answer = HttpBench.decoded(bench.http.message(body));

        assertEquals(agent, answer.text("agentId"));
        assertEquals(List.of(run), bench.runs.cancelled);
        Set<String> members = Set.of(OWNER.id(), OTHER.id());
        assertEquals(
                List.of(new AgentDeleted(agent, members, Set.of(session))),
                bench.committed.stream().filter(AgentDeleted.class::isInstance).toList());
        assertTrue(bench.committed.contains(new AccountHint("agent-deleted", agent, null, members)));
        assertEquals(answer, HttpBench.decoded(bench.http.message(body)));
        assertEquals(answer, HttpBench.decoded(bench.otherNode().http.message(body)));
        bench.call(OWNER, "DeleteAgent", "agentId", agent).refuses(404, "agent_not_found", "Agent not found");
        bench.call(OWNER, "GetSession", "sessionId", session).refuses(404, "session_not_found", "Session not found");
    }
}
