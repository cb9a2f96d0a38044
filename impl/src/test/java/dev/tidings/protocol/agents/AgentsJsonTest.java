package dev.tidings.protocol.agents;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidings.AgentActivity;
import dev.tidings.AgentInfo;
import dev.tidings.Collaborator;
import dev.tidings.EntryKind;
import dev.tidings.Payload;
import dev.tidings.Role;
import dev.tidings.RunActivity;
import dev.tidings.RunInfo;
import dev.tidings.RunStatus;
import dev.tidings.RunUsage;
import dev.tidings.SessionInfo;
import dev.tidings.SessionStatus;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A7: members without a value are absent, in the order that clients know; stored JSON is shown byte for byte. */
class AgentsJsonTest {

    @Test
    void sessionEvent_payload_isSplicedAsStored() {
        String event = "{ \"type\":\"x\", \"big\":18446744073709551615,\"e\":1.50e3,\"nul\":\"\\u0000\","
                + "\"bytes\":{\"/\":{\"bytes\":\"AAE\"}},\"deep\":[[[]]]}";
        StoredEntry entry = new StoredEntry(
                StreamKey.session("s1"), 9, 4, "e\u0000\"1", EntryKind.EVENT, Payload.of(event), "r1", 77);
        assertEquals(
                "{\"id\":\"e\\u0000\\\"1\",\"sessionId\":\"s1\",\"seq\":4,\"event\":" + event + ",\"createdAt\":77}",
                text(AgentsJson.sessionEvent(entry)));
    }

    @Test
    void session_plain_hasNoEmptyMember() {
        assertEquals(
                "{\"id\":\"s1\",\"account\":\"z1\",\"agentId\":\"a1\",\"status\":\"idle\",\"createdAt\":5,\"updatedAt\":5}",
                text(AgentsJson.session(SessionInfo.idle("s1", "z1", "a1", null, 5))));
    }

    @Test
    void session_full_hasEveryMemberInOrder() {
        SessionInfo session = new SessionInfo(
                "s1",
                "z1",
                "a1",
                "Zoë \uD83D\uDE00",
                SessionStatus.STREAMING,
                1,
                2,
                Payload.of("{\"id\":\"t\"}"),
                "s0",
                "r1",
                Payload.of("{\"steps\":[]}"),
                3,
                Payload.of("\"m\""),
                "about");
        assertEquals(
                "{\"id\":\"s1\",\"account\":\"z1\",\"agentId\":\"a1\",\"title\":\"Zoë \uD83D\uDE00\",\"status\":\"streaming\","
                        + "\"startedByTrigger\":{\"id\":\"t\"},\"parentSessionId\":\"s0\",\"runId\":\"r1\","
                        + "\"plan\":{\"steps\":[]},\"childSessionCount\":3,\"modelOverride\":\"m\","
                        + "\"description\":\"about\",\"createdAt\":1,\"updatedAt\":2}",
                text(AgentsJson.session(session)));
    }

    @Test
    void text_loneSurrogate_isEscapedAndDoesNotFail() {
        assertEquals(
                "{\"id\":\"s1\",\"account\":\"z1\",\"agentId\":\"a1\",\"title\":\"x\\uD83Dy\",\"status\":\"idle\","
                        + "\"createdAt\":5,\"updatedAt\":5}",
                text(AgentsJson.session(SessionInfo.idle("s1", "z1", "a1", "x\uD83Dy", 5))));
    }

    @Test
    void agent_accessRole_isTheReaders() {
        AgentInfo agent =
                new AgentInfo("a1", "z1", Payload.of("{\"name\":\"n\"}"), null, AgentInfo.AgentStatus.IDLE, 1, 2, true);
        assertEquals(
                "{\"id\":\"a1\",\"account\":\"z1\",\"definition\":{\"name\":\"n\"},\"stateDir\":\"\",\"status\":\"idle\","
                        + "\"createdAt\":1,\"updatedAt\":2,\"accessRole\":\"reader\",\"publicRead\":true}",
                text(AgentsJson.agent(agent, Role.READER)));
    }

    @Test
    void activity_noMessageYet_hasOnlyTheRest() {
        assertEquals(
                "{\"at\":1,\"kind\":\"tool\",\"busy\":true}",
                text(AgentsJson.activity(new AgentActivity(1, "tool", null, null, null, true))));
    }

    @Test
    void run_details_areMergedInWireOrderAndNothingElseOfThem() {
        String details = " {\"plan\" : {\"steps\":[1 , 2]} ,\"sourceText\":\"a\\\"b\",\"wait\":{\"reason\":\"timer\"},"
                + "\"status\":\"forged\",\"unmetObligations\":12345678901234567890, \"error\":null}";
        RunInfo run = run(Payload.of(details), new RunUsage(1, 2, 3, 4, 10));
        assertEquals(
                "{\"id\":\"r1\",\"account\":\"z1\",\"rootRunId\":\"r0\",\"parentRunId\":\"r0\",\"parentToolCallId\":\"c\","
                        + "\"depth\":1,\"kind\":\"agent\",\"agentId\":\"a1\",\"sessionId\":\"s1\",\"origin\":\"user\","
                        + "\"title\":\"t\",\"sourceText\":\"a\\\"b\",\"childRunCount\":2,\"status\":\"waiting\","
                        + "\"wait\":{\"reason\":\"timer\"},\"plan\":{\"steps\":[1 , 2]},"
                        + "\"unmetObligations\":12345678901234567890,"
                        + "\"usage\":{\"input\":1,\"output\":2,\"cacheRead\":3,\"cacheWrite\":4,\"total\":10},"
                        + "\"createdAt\":1,\"startedAt\":2,\"updatedAt\":4}",
                text(AgentsJson.run(run)));
    }

    @Test
    void run_numberAtTheEndOfDetails_endsBeforeTheBrace() {
        String json = text(AgentsJson.run(run(Payload.of("{\"unmetObligations\":-1.5e300}"), null)));
        assertEquals(true, json.contains(",\"unmetObligations\":-1.5e300,\"createdAt\":1"), json);
    }

    @Test
    void runActivity_tool_hasItsMembers() {
        assertEquals(
                "{\"phase\":\"tool\",\"toolName\":\"n\",\"toolCallId\":\"c\",\"outputTail\":\"o\"}",
                text(AgentsJson.runActivity(new RunActivity(RunActivity.Phase.TOOL, "n", "c", null, "o"))));
    }

    @Test
    void collaborator_accepted_hasWireWords() {
        assertEquals(
                "{\"accountId\":\"z2\",\"role\":\"writer\",\"status\":\"accepted\",\"createdAt\":1,\"updatedAt\":2}",
                text(AgentsJson.collaborator(
                        new Collaborator("a1", "z2", Role.WRITER, Collaborator.Status.ACCEPTED, 1, 2))));
    }

    private static RunInfo run(Payload details, @Nullable RunUsage usage) {
        return new RunInfo(
                "r1",
                "z1",
                "r0",
                new RunInfo.Lineage("r0", "c", 1, 2),
                "agent",
                "a1",
                "s1",
                "user",
                "t",
                RunStatus.WAITING,
                details,
                usage,
                1,
                2L,
                null,
                4);
    }

    private static String text(byte[] utf8) {
        return new String(utf8, StandardCharsets.UTF_8);
    }
}
