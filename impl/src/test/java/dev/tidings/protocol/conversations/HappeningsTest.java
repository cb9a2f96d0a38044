package dev.tidings.protocol.conversations;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.EntryKind;
import dev.tidings.Payload;
import dev.tidings.RunInfo;
import dev.tidings.RunStatus;
import dev.tidings.SessionInfo;
import dev.tidings.event.RunChanged;
import dev.tidings.event.SessionDeleted;
import dev.tidings.event.Signal;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Each event type, by what really happens. Threads: one. */
class HappeningsTest {
    private final ConversationsWorld world = new ConversationsWorld();
    private final Watching all = world.watch(world.key(), null, -1);

    private void run(String id, @Nullable String parent, String session, RunStatus status) {
        world.tidings
                .transactions()
                .run(() -> world.tidings.directoryWriter().create(ConversationsWorld.run(id, parent, session, status)));
        world.settle();
    }

    private void change(String id, RunStatus status, @Nullable String details) {
        world.tidings
                .transactions()
                .run(() -> world.tidings
                        .directoryWriter()
                        .changeRun(
                                id,
                                run -> run.withStatus(status, 2)
                                        .withDetails(details == null ? null : Payload.of(details), null)));
        world.settle();
    }

    private List<String> told(String type) {
        return all.frames.stream()
                .filter(frame -> Objects.equals(Watching.member(frame, "type"), type))
                .toList();
    }

    @Test
    void queue_turnsWaitAndEnd_tellsItsLength() {
        world.session("s", "a");
        run("r1", null, "s", RunStatus.QUEUED);
        run("r2", null, "s", RunStatus.QUEUED);
        change("r1", RunStatus.RUNNING, null);
        change("r1", RunStatus.WAITING, null);
        change("r1", RunStatus.RUNNING, null);
        change("r1", RunStatus.SUCCEEDED, null);
        change("r2", RunStatus.CANCELED, null);
        List<String> changes = told("queue.updated").stream()
                .map(frame -> frame.substring(frame.indexOf("\"data\":") + 7))
                .toList();
        assertEquals(
                List.of(
                        "{\"length\":1,\"action\":\"added\",\"runId\":\"r1\"}}",
                        "{\"length\":2,\"action\":\"added\",\"runId\":\"r2\"}}",
                        "{\"length\":1,\"action\":\"started\",\"runId\":\"r1\"}}",
                        "{\"length\":1,\"action\":\"completed\",\"runId\":\"r1\"}}",
                        "{\"length\":0,\"action\":\"removed\",\"runId\":\"r2\"}}"),
                changes);
    }

    /** Law 4: callbacks of two transactions swap; what is older than what was told is not told any more. */
    @Test
    void run_olderChangeComesLater_isPassedOver() {
        world.session("s", "a");
        run("r1", null, "s", RunStatus.RUNNING);
        RunInfo ended = ConversationsWorld.run("r1", null, "s", RunStatus.SUCCEEDED);
        world.face.happened(new RunChanged(ended, 3, false));
        world.face.happened(new RunChanged(ended.withStatus(RunStatus.QUEUED, 2), 2, false));
        world.settle();
        assertEquals(
                List.of("started", "completed"),
                told("queue.updated").stream()
                        .map(frame -> frame.replaceAll(".*\"action\":\"([a-z]+)\".*", "$1"))
                        .toList());
    }

    /** That a run began may be joined with its end while too much waits: both are told all the same. */
    @Test
    void run_beginningJoinedWithItsEnd_isToldToHaveBegun() {
        world.session("s", "a");
        run("parent", null, "s", RunStatus.RUNNING);
        run("kid", "parent", "s", RunStatus.QUEUED);
        run("never", null, "s", RunStatus.QUEUED);
        all.frames.clear();
        world.deaf = true;
        change("kid", RunStatus.RUNNING, null);
        world.deaf = false;
        change("kid", RunStatus.SUCCEEDED, null);
        change("never", RunStatus.CANCELED, null);
        assertEquals(
                List.of("queue.updated", "subagent.started", "queue.updated", "subagent.completed", "queue.updated"),
                all.types());
        assertEquals(
                List.of("started", "completed", "removed"),
                told("queue.updated").stream()
                        .map(frame -> frame.replaceFirst(".*\"action\":\"([a-z]*)\".*", "$1"))
                        .toList());
    }

    @Test
    void subagent_childRun_isToldInItsParentsConversation() {
        world.session("s", "a");
        run("parent", null, "s", RunStatus.RUNNING);
        world.tidings
                .transactions()
                .run(() -> world.tidings
                        .directoryWriter()
                        .create(new SessionInfo(
                                "child",
                                "owner",
                                "a",
                                null,
                                dev.tidings.SessionStatus.IDLE,
                                1,
                                1,
                                null,
                                "s",
                                "kid",
                                null,
                                0,
                                null,
                                null)));
        run("kid", "parent", "child", RunStatus.QUEUED);
        change("kid", RunStatus.RUNNING, null);
        world.message("child", "within");
        world.settle();
        change("kid", RunStatus.FAILED, "{\"error\":{\"code\":\"no_luck\",\"message\":\"No luck.\"}}");
        for (String type : List.of("subagent.started", "subagent.message.created", "subagent.failed")) {
            List<String> told = told(type);
            assertEquals(1, told.size(), type);
            assertEquals("s", Watching.member(told.get(0), "conversationId"));
            assertTrue(told.get(0).contains("\"runId\":\"kid\""), told.get(0));
            assertTrue(told.get(0).contains("\"parentRunId\":\"parent\""), told.get(0));
            assertTrue(told.get(0).contains("\"childConversationId\":\"child\""), told.get(0));
        }
        assertTrue(told("subagent.failed").get(0).contains("\"code\":\"no_luck\""));
        run("second", "parent", "child", RunStatus.RUNNING);
        change("second", RunStatus.SUCCEEDED, null);
        assertEquals(1, told("subagent.completed").size());
        run("third", "parent", "child", RunStatus.RUNNING);
        change("third", RunStatus.CANCELED, null);
        assertTrue(told("subagent.failed").get(1).contains("\"code\":\"cancelled\""));
    }

    @Test
    void conversation_madeChangedDeleted_isTold() {
        world.session("s", "a");
        world.tidings
                .transactions()
                .run(() -> world.tidings
                        .directoryWriter()
                        .changeSession("s", session -> session.withStatus(dev.tidings.SessionStatus.STREAMING, 9)));
        world.face.happened(new SessionDeleted("s", "a", Set.of()));
        world.settle();
        List<String> updated = told("conversation.updated");
        assertEquals(2, updated.size());
        assertTrue(updated.get(0).contains("\"created\":true"));
        assertTrue(updated.get(1).contains("\"status\":\"streaming\""));
        assertEquals(1, told("conversation.deleted").size());
    }

    /** Each conversation, also one that nobody has seen since the process began; and whoever watched only that is told. */
    @Test
    void agent_deleted_itsConversationsAreToldAway() {
        world.session("s", "a");
        world.session("t", "a");
        world.session("u", "b");
        world.message("s", "long ago");
        world.settle();
        ConversationsWorld again = new ConversationsWorld(world.tidings, 2_000, null);
        again.settle();
        Watching everything = again.watch(again.key(), null, -1);
        Watching one = again.watch(again.key(), "s", -1);
        world.tidings.transactions().run(() -> world.tidings.directoryWriter().deleteAgent("a"));
        assertEquals(List.of(), everything.frames, "there was no such agent");
        world.agent("a");
        world.tidings.transactions().run(() -> world.tidings.directoryWriter().deleteAgent("a"));
        again.settle();
        List<String> told = everything.frames.stream()
                .filter(frame -> Objects.equals(Watching.member(frame, "type"), "conversation.deleted"))
                .toList();
        assertEquals(2, told.size());
        assertEquals(
                Set.of("s", "t"),
                told.stream()
                        .map(frame -> Watching.member(frame, "conversationId"))
                        .collect(java.util.stream.Collectors.toSet()));
        assertEquals(List.of("conversation.deleted"), one.types());
    }

    @Test
    void entries_ofARun_areItsEvents() {
        world.session("s", "a");
        world.append("s", EntryKind.RUN_STARTED, "{\"runId\":\"r\"}");
        world.append(
                "s",
                EntryKind.EVENT,
                "{\"type\":\"tool_call\",\"id\":\"c\",\"name\":\"n\",\"input\":{\"big\":18446744073709551615}}");
        world.append(
                "s", EntryKind.EVENT, "{\"type\":\"tool_result\",\"toolCallId\":\"c\",\"name\":\"n\",\"output\":[1]}");
        world.append("s", EntryKind.APPROVAL, "{\"type\":\"approval_requested\",\"approvalId\":\"x\"}");
        world.append("s", EntryKind.TEXT_DELTA, "{\"partialId\":\"m\",\"offset\":0,\"text\":\"a\\nb\"}");
        world.append("s", EntryKind.RUN_FINISHED, "{\"runId\":\"r\",\"reason\":\"completed\"}");
        world.append("s", EntryKind.RUN_FINISHED, "{\"runId\":\"r\",\"reason\":\"cancelled\"}");
        world.append("s", EntryKind.RUN_FINISHED, "{\"type\":\"error\",\"message\":\"No.\",\"code\":\"no\"}");
        world.settle();
        List<String> types = all.types().stream()
                .filter(type -> !type.startsWith("conversation"))
                .toList();
        assertEquals(9, types.size(), types::toString);
        assertTrue(told("run.progress").get(0).contains("18446744073709551615"));
        assertTrue(told("run.progress").get(0).contains("\"toolCallId\":\"c\""));
        String result = told("message.created").get(0);
        assertTrue(result.contains("\"role\":\"tool\",\"content\":[1]"), result);
        assertTrue(told("message.delta").get(0).contains("{\"messageId\":\"m\",\"delta\":\"a\\nb\"}"));
        assertTrue(told("run.failed").get(0).contains("{\"code\":\"no\",\"message\":\"No.\"}"));
        assertEquals(1, told("run.completed").size());
        assertEquals(1, told("run.cancelled").size());
    }

    /** Live equals stored (law 12): pieces of text that are stored are shown as entries alone, whichever comes first. */
    @Test
    void deltas_thatAreStored_areNoNewsAsSignals() {
        world.session("s", "a");
        world.face.happened(new Signal.Partial("s", "m", "one", false, null, null, true));
        world.append("s", EntryKind.TEXT_DELTA, "{\"partialId\":\"m\",\"offset\":0,\"text\":\"one\"}");
        // What a backend signals by itself beside them is stored by nobody.
        world.delta("s", "own", "two");
        world.settle();
        List<String> told = told("message.delta");
        assertEquals(2, told.size(), told::toString);
        assertTrue(told.get(0).contains("{\"messageId\":\"m\",\"delta\":\"one\"}"));
        assertTrue(told.get(1).contains("{\"messageId\":\"own\",\"delta\":\"two\"}"));
    }

    @Test
    void signals_ofARun_arePassingEvents() {
        world.session("s", "a");
        run("r", null, "s", RunStatus.RUNNING);
        world.face.happened(new Signal.Progress("r", "r", "p", 0.5, "half", null, null));
        world.delta("s", "m", "text");
        world.settle();
        assertTrue(told("run.progress").get(0).contains("{\"runId\":\"r\",\"label\":\"half\",\"fraction\":0.5}"));
        assertTrue(told("message.delta").get(0).contains("{\"messageId\":\"m\",\"delta\":\"text\"}"));
    }
}
