package dev.tidings.protocol.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidings.EntryKind;
import dev.tidings.Payload;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.delivery.Frame;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Protocols C and "One session, three faces": every row is exactly one event. */
class CommandsTranslatorTest {
    private static final StreamKey SESSION = StreamKey.session("s\"1");

    private static void assertShown(String kindAndPayload, EntryKind kind, String payload) {
        StoredEntry entry = new StoredEntry(SESSION, 7, 0, "e1", kind, Payload.of(payload), "r", 5_000);
        List<Frame> frames = CommandsTranslator.INSTANCE.frames(entry);
        assertEquals(1, frames.size());
        assertEquals(
                "{\"event_id\":\"e1\",\"session_id\":\"s\\\"1\",\"cursor\":7,\"kind\":" + kindAndPayload
                        + ",\"created_at\":5000}",
                frames.get(0).text());
    }

    @Test
    void frames_messages_haveTheirContentAlone() {
        assertShown(
                "\"user_message\",\"payload\":{\"content\":\"h\\u00e9\",\"message_id\":\"m\"}",
                EntryKind.EVENT,
                "{\"type\":\"message\",\"role\":\"user\",\"content\":\"h\\u00e9\",\"clientMessageId\":\"m\",\"meta\":{}}");
        assertShown(
                "\"assistant_message\",\"payload\":{\"content\":\"x\"}",
                EntryKind.EVENT,
                "{\"type\":\"message\",\"role\":\"assistant\",\"content\":\"x\",\"meta\":{\"durationMs\":1}}");
        assertShown(
                "\"assistant_message\",\"payload\":{\"content\":\"x\",\"interrupted\":true}",
                EntryKind.EVENT,
                "{\"type\":\"message\",\"role\":\"assistant\",\"content\":\"x\",\"interrupted\":true}");
    }

    @Test
    void frames_runs_haveStartDeltasAndEnd() {
        assertShown("\"run_started\",\"payload\":{\"run_id\":\"r\"}", EntryKind.RUN_STARTED, "{\"runId\":\"r\"}");
        assertShown(
                "\"text_delta\",\"payload\":{\"content\":\"\\ud83d\\ude00\"}",
                EntryKind.TEXT_DELTA,
                "{\"partialId\":\"p\",\"offset\":3,\"text\":\"\\ud83d\\ude00\"}");
        assertShown(
                "\"run_finished\",\"payload\":{\"run_id\":\"r\",\"reason\":\"cancelled\"}",
                EntryKind.RUN_FINISHED,
                "{\"runId\":\"r\",\"reason\":\"cancelled\"}");
        assertShown(
                "\"run_finished\",\"payload\":{\"run_id\":\"r\",\"reason\":\"failed\","
                        + "\"error\":{\"code\":\"interrupted_by_restart\",\"message\":\"m\"}}",
                EntryKind.RUN_FINISHED,
                "{\"type\":\"error\",\"message\":\"m\",\"runId\":\"r\",\"code\":\"interrupted_by_restart\"}");
    }

    @Test
    void frames_tools_keepTheirValuesAsTheyAre() {
        assertShown(
                "\"tool_started\",\"payload\":{\"tool_call_id\":\"t\",\"name\":\"n\",\"input\":{ \"big\":18446744073709551615}}",
                EntryKind.EVENT,
                "{\"type\":\"tool_call\",\"id\":\"t\",\"name\":\"n\",\"input\":{ \"big\":18446744073709551615}}");
        assertShown(
                "\"tool_finished\",\"payload\":{\"tool_call_id\":\"t\",\"name\":\"n\",\"output\":[1.50]}",
                EntryKind.EVENT,
                "{\"type\":\"tool_result\",\"toolCallId\":\"t\",\"name\":\"n\",\"output\":[1.50]}");
        assertShown(
                "\"tool_finished\",\"payload\":{\"tool_call_id\":\"t\",\"name\":\"n\",\"error\":\"no\"}",
                EntryKind.EVENT,
                "{\"type\":\"tool_result\",\"toolCallId\":\"t\",\"name\":\"n\",\"error\":\"no\"}");
    }

    @Test
    void frames_approvals_askAndAreDecided() {
        assertShown(
                "\"approval_requested\",\"payload\":{\"approval_id\":\"a\",\"tool_call_id\":\"t\",\"name\":\"n\","
                        + "\"input\":{},\"expires_at\":9}",
                EntryKind.APPROVAL,
                "{\"type\":\"approval_requested\",\"approvalId\":\"a\",\"toolCallId\":\"t\",\"name\":\"n\","
                        + "\"input\":{},\"expiresAt\":9}");
        assertShown(
                "\"approval_granted\",\"payload\":{\"approval_id\":\"a\"}",
                EntryKind.APPROVAL,
                "{\"type\":\"approval_granted\",\"approvalId\":\"a\",\"toolCallId\":\"t\",\"name\":\"n\",\"actor\":\"user\"}");
        assertShown(
                "\"approval_expired\",\"payload\":{\"approval_id\":\"a\",\"reason\":\"run_ended\"}",
                EntryKind.APPROVAL,
                "{\"type\":\"approval_expired\",\"approvalId\":\"a\",\"actor\":\"system\",\"reason\":\"run_ended\"}");
    }

    @Test
    void frames_anythingElse_isAnEventAsItIs() {
        for (String payload : List.of(
                "{\"type\":\"message\",\"role\":\"tool\",\"content\":\"x\"}",
                "{\"type\":\"error\",\"message\":\"m\"}",
                "{\"type\":\"approval_granted\",\"approvalId\":\"forged\"}",
                "{}",
                "[1, 2]",
                "7",
                "null")) {
            assertShown("\"event\",\"payload\":" + payload, EntryKind.EVENT, payload);
        }
    }

    @Test
    void frames_runTree_isNotShown() {
        StoredEntry journal =
                new StoredEntry(StreamKey.run("r"), 1, 1, "e", EntryKind.JOURNAL, Payload.of("{}"), "r", 1);
        assertEquals(List.of(), CommandsTranslator.INSTANCE.frames(journal));
    }

    @Test
    void error_everyRefusal_isOneObject() {
        for (CommandRefusal refusal : CommandRefusal.values()) {
            Payload json = Payload.of(CommandsTranslator.error(refusal).text());
            assertEquals(
                    java.util.Map.of("type", "error", "code", refusal.code(), "message", refusal.message()),
                    json.textMembers(java.util.Set.of("type", "code", "message")));
        }
    }
}
