package dev.tidings.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tidings.ApiKeyScope;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeysCommandTest {

    private static KeysCommand.Call parse(String line) throws Options.WrongUsage {
        return KeysCommand.parse(line.isEmpty() ? List.of() : List.of(line.split(" ")));
    }

    @Test
    void parse_create_hasLabelAndScope() throws Exception {
        assertEquals(
                new KeysCommand.Create("", new ApiKeyScope.All()),
                parse("create").command());
        assertEquals(
                new KeysCommand.Create("page", new ApiKeyScope.OfAgent("a")),
                parse("create --label=page --agent a").command());
        assertEquals(
                new KeysCommand.Create("", new ApiKeyScope.OfSession("s")),
                parse("create --session=s").command());
    }

    @Test
    void parse_others_areReadWithTheDirectory() throws Exception {
        assertEquals(new KeysCommand.ListAll(), parse("list").command());
        KeysCommand.Call revoke = parse("revoke 12ab --data /d");
        assertEquals(new KeysCommand.Revoke("12ab"), revoke.command());
        assertEquals(Path.of("/d"), revoke.data());
        assertEquals(Path.of("data").toAbsolutePath(), parse("list").data());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "make",
                "revoke",
                "revoke a b",
                "revoke --agent a",
                "list a",
                "list --label x",
                "create a",
                "create --agent",
                "create --agent a --session s",
                "create --port 1",
                "--data /d"
            })
    void parse_notUnderstood_isRefused(String line) {
        assertThrows(Options.WrongUsage.class, () -> parse(line));
    }

    @Test
    void parse_labelTooLong_isRefused() {
        assertThrows(Options.WrongUsage.class, () -> KeysCommand.parse(List.of("create", "--label", "l".repeat(201))));
    }
}
