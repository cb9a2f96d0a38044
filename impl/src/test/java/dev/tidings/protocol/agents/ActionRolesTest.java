package dev.tidings.protocol.agents;

import static dev.tidings.protocol.agents.HttpBench.content;
import static dev.tidings.protocol.agents.HttpBench.map;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidings.StreamKey;
import dev.tidings.envelope.EnvelopeFixtures.Signer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Law 6: who may do what, each action as each kind of account. */
class ActionRolesTest {
    private static final Signer OWNER = Signer.number(1);
    private static final Signer THIRD = Signer.number(9);

    /** How the account that asks stands to the agent. */
    enum Standing {
        OWNER,
        WRITER,
        READER,
        PUBLIC_READER,
        PENDING,
        REMOVED,
        STRANGER
    }

    /** What the action needs. */
    enum Need {
        READ,
        WRITE,
        OWN
    }

    private static final List<String> READING = List.of(
            "GetAgent",
            "GetSession",
            "ListSessions",
            "ListAgentCollaborators",
            "GetRun",
            "GetRunJournal",
            "ListRuns agentId",
            "ListRuns sessionId",
            "ListRuns rootRunId");
    private static final List<String> WRITING = List.of(
            "UpdateAgent",
            "CreateSession",
            "UpdateSession",
            "DeleteSession",
            "MessageSession",
            "InvokeSessionTool",
            "StopSession",
            "CancelRun");
    private static final List<String> OWNING =
            List.of("DeleteAgent", "InviteAgentCollaborator", "RemoveAgentCollaborator", "SetAgentPublicRead");

    static Stream<Arguments> matrix() {
        List<Arguments> matrix = new ArrayList<>();
        for (Standing standing : Standing.values()) {
            READING.forEach(action -> matrix.add(Arguments.of(action, Need.READ, standing)));
            WRITING.forEach(action -> matrix.add(Arguments.of(action, Need.WRITE, standing)));
            OWNING.forEach(action -> matrix.add(Arguments.of(action, Need.OWN, standing)));
        }
        return matrix.stream();
    }

    private final HttpBench bench = new HttpBench();

    @ParameterizedTest
    @MethodSource("matrix")
    void action_asEachStanding_allowedOrRefused(String action, Need need, Standing standing) {
        String agent = bench.agent(OWNER);
        String session = bench.session(OWNER, agent);
        bench.invite(OWNER, agent, THIRD, "reader");
        Signer asker = standing(standing, agent);
        String run = bench.runs.active(bench.session(OWNER, agent));
        List<Object> before = state(agent, session, run);

        HttpBench.Answer answer = ask(asker, action, agent, session, run);

        int expected = expected(need, standing);
        assertEquals(expected, answer.status(), () -> answer.members().toString());
        if (expected == 403) {
            assertEquals(
                    need == Need.OWN ? "Owner access is required" : "Write access is required", answer.text("message"));
        }
        if (expected == 404) {
            HttpBench.Answer missing = ask(asker, action, "none", "none", "none");
            assertEquals(missing, answer);
        }
        if (expected != 200) {
            assertEquals(List.of(), bench.runs.messages);
            assertEquals(List.of(), bench.runs.cancelled);
            assertEquals(before, state(agent, session, run));
        }
    }

    /** What a refused action must leave as it was. */
    private List<Object> state(String agent, String session, String run) {
        return List.of(
                bench.tidings.directory().agent(agent),
                bench.tidings.directory().session(session),
                bench.tidings.directory().run(run),
                bench.tidings.directory().collaborators(agent),
                bench.tidings.log().head(StreamKey.session(session)));
    }

    private static int expected(Need need, Standing standing) {
        return switch (standing) {
            case OWNER -> 200;
            case WRITER -> need == Need.OWN ? 403 : 200;
            case READER, PUBLIC_READER -> need == Need.READ ? 200 : 403;
            case PENDING, REMOVED, STRANGER -> 404;
        };
    }

    private Signer standing(Standing standing, String agent) {
        Signer asker = Signer.number(2);
        switch (standing) {
            case OWNER -> {
                return OWNER;
            }
            case WRITER, READER -> {
                bench.invite(OWNER, agent, asker, standing == Standing.WRITER ? "writer" : "reader");
                bench.accept(asker, agent);
            }
            case PENDING -> bench.invite(OWNER, agent, asker, "writer");
            case REMOVED -> {
                bench.invite(OWNER, agent, asker, "writer");
                bench.accept(asker, agent);
                bench.done(OWNER, "RemoveAgentCollaborator", "agentId", agent, "accountId", asker.id());
            }
            case PUBLIC_READER -> bench.publicRead(OWNER, agent);
            case STRANGER -> {}
        }
        return asker;
    }

    private HttpBench.Answer ask(Signer asker, String action, String agent, String session, String run) {
        return switch (action) {
            case "GetSession", "StopSession", "DeleteSession" -> bench.call(asker, action, "sessionId", session);
            case "GetAgent", "DeleteAgent", "ListAgentCollaborators", "ListSessions", "CreateSession" ->
                bench.call(asker, action, "agentId", agent);
            case "GetRun", "GetRunJournal", "CancelRun" -> bench.call(asker, action, "runId", run);
            case "ListRuns agentId" -> bench.call(asker, "ListRuns", "agentId", agent);
            case "ListRuns sessionId" -> bench.call(asker, "ListRuns", "sessionId", session);
            case "ListRuns rootRunId" -> bench.call(asker, "ListRuns", "rootRunId", run);
            case "MessageSession" -> bench.call(asker, action, "sessionId", session, "content", content("hi"));
            case "UpdateSession" -> bench.call(asker, action, "sessionId", session, "title", "New");
            case "UpdateAgent" -> bench.call(asker, action, "agentId", agent, "definition", map("name", "New"));
            case "SetAgentPublicRead" -> bench.call(asker, action, "agentId", agent, "publicRead", true);
            case "InvokeSessionTool" ->
                bench.call(asker, action, "sessionId", session, "verb", "read", "input", map("a", 1));
            case "InviteAgentCollaborator" ->
                bench.call(
                        asker,
                        action,
                        "agentId",
                        agent,
                        "accountId",
                        Signer.number(8).id(),
                        "role",
                        "reader");
            case "RemoveAgentCollaborator" -> bench.call(asker, action, "agentId", agent, "accountId", THIRD.id());
            default -> throw new AssertionError(action);
        };
    }
}
