package dev.tidings.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.Payload;
import dev.tidings.SessionInfo;
import dev.tidings.spi.RunFailure;
import org.junit.jupiter.api.Test;

class DemoMemoryTest {

    private final DemoMemory memory = new DemoMemory();

    private String invoke(String agent, String verb, String input) {
        SessionInfo session = SessionInfo.idle("s", "owner", agent, null, 1);
        return memory.invoke(session, "owner", verb, Payload.of(input)).text();
    }

    private String refused(String verb, String input) {
        return assertThrows(RunFailure.class, () -> invoke("a", verb, input)).code();
    }

    @Test
    void writeReadForget_oneText_isThereAndGone() {
        invoke("a", "write", "{\"address\":\"m/u.md\",\"content\":\"x\\n\\u0000\"}");
        assertEquals(
                "{\"address\":\"m/u.md\",\"content\":\"x\\u000a\\u0000\"}",
                invoke("a", "read", "{\"address\":\"m/u.md\"}"));
        assertTrue(invoke("a", "read", "{\"address\":\"m/\"}").endsWith("\"names\":[\"m/u.md\"]}"));
        assertTrue(invoke("b", "read", "{}").endsWith("\"names\":[]}"), "each agent has its own");
        invoke("a", "call", "{\"name\":\"forget\",\"address\":\"m/u.md\"}");
        assertEquals("not_found", refused("read", "{\"address\":\"m/u.md\"}"));
    }

    @Test
    void invoke_wrongInput_isThePublicError() {
        assertEquals("invalid_input", refused("write", "{\"address\":\"x\"}"));
        assertEquals("invalid_input", refused("write", "[]"));
        assertEquals("unknown_tool", refused("call", "{}"));
        assertEquals("unknown_verb", refused("delete", "{}"));
        String large = "x".repeat(20_000);
        assertEquals("memory_full", refused("write", "{\"address\":\"x\",\"content\":\"" + large + "\"}"));
    }
}
