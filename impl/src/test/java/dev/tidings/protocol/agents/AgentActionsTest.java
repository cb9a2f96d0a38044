package dev.tidings.protocol.agents;

import static dev.tidings.protocol.agents.HttpBench.map;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.AgentInfo;
import dev.tidings.envelope.CborValue;
import dev.tidings.envelope.EnvelopeFixtures.Signer;
import java.math.BigInteger;
import java.util.List;
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
        assertEquals(List.of(), bench.tidings.directory().agentsOf(OWNER.id()));
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
}
