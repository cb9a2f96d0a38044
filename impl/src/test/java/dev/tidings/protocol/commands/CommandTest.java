package dev.tidings.protocol.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidings.Approval;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Protocols C: commands, and everything that is none. */
class CommandTest {

    private static void assertRefused(CommandRefusal refusal, String message) {
        assertEquals(new Command.Refused(refusal), Command.read(message), message);
    }

    @Test
    void read_commands_areUnderstood() {
        assertEquals(
                new Command.UserMessage("hi \uD83D\uDE00\u0000", null),
                Command.read("{\"type\":\"user_message\",\"content\":\"hi \\uD83D\\uDE00\\u0000\"}"));
        assertEquals(
                new Command.UserMessage("hi", "m1"),
                Command.read(" {\"message_id\":\"m1\",\"content\":\"hi\",\"more\":[1],\"type\":\"user_message\"}"));
        assertEquals(new Command.Cancel(), Command.read("{\"type\":\"cancel\",\"content\":7}"));
        assertEquals(
                new Command.ToolApproval("a", Approval.Status.GRANTED),
                Command.read("{\"type\":\"tool_approval\",\"approval_id\":\"a\",\"decision\":\"grant\"}"));
        assertEquals(
                new Command.ToolApproval("a", Approval.Status.DENIED),
                Command.read("{\"type\":\"tool_approval\",\"approval_id\":\"a\",\"decision\":\"deny\"}"));
    }

    @Test
    void read_noObject_isNoJson() {
        for (String message : List.of(
                "",
                "x",
                "[]",
                "7",
                "null",
                "\"cancel\"",
                "{",
                "{\"type\":\"cancel\"} {}",
                "{\"type\":\"cancel\"}x",
                "{\"type\":\"\\ud800\"}",
                "[{\"type\":\"cancel\"}]",
                "[".repeat(5_000))) {
            assertRefused(CommandRefusal.INVALID_JSON, message);
        }
    }

    @Test
    void read_otherTypes_areUnknown() {
        for (String message : List.of(
                "{}", "{\"type\":\"Cancel\"}", "{\"type\":null}", "{\"type\":[\"cancel\"]}", "{\"type\":\"ping\"}")) {
            assertRefused(CommandRefusal.UNKNOWN_COMMAND, message);
        }
    }

    @Test
    void read_content_isTextOf1To65536Bytes() {
        for (String content : List.of("", "null", "7", "[]", "\"\"", "{\"text\":\"x\"}")) {
            String member = content.isEmpty() ? "" : ",\"content\":" + content;
            assertRefused(CommandRefusal.INVALID_CONTENT, "{\"type\":\"user_message\"" + member + "}");
        }
        String largest = "\u00e9".repeat(32 << 10);
        assertEquals(
                new Command.UserMessage(largest, null),
                Command.read("{\"type\":\"user_message\",\"content\":\"" + largest + "\"}"));
        assertRefused(CommandRefusal.INVALID_CONTENT, "{\"type\":\"user_message\",\"content\":\"" + largest + "a\"}");
    }

    @Test
    void read_messageId_isTextOf1To128Characters() {
        for (String id : List.of("7", "null", "\"\"", "\"" + "m".repeat(129) + "\"")) {
            assertRefused(
                    CommandRefusal.INVALID_MESSAGE_ID,
                    "{\"type\":\"user_message\",\"content\":\"x\",\"message_id\":" + id + "}");
        }
    }

    @Test
    void read_approval_needsBoth() {
        for (String members : List.of(
                "",
                ",\"approval_id\":\"a\"",
                ",\"decision\":\"grant\"",
                ",\"approval_id\":7,\"decision\":\"grant\"",
                ",\"approval_id\":\"a\",\"decision\":\"granted\"",
                ",\"approval_id\":\"\",\"decision\":\"deny\"")) {
            assertRefused(CommandRefusal.INVALID_APPROVAL, "{\"type\":\"tool_approval\"" + members + "}");
        }
    }
}
