package dev.tidings.wiring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The document of the configuration and the configuration say the same. */
class ConfigurationDocumentTest {

    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(tidings\\.[a-z.-]+)` \\| ([^|]+) \\| ([^|]+) \\| ");

    @Test
    void document_rows_areTheSettings() throws IOException {
        Map<String, String> documented = new TreeMap<>();
        Matcher rows = ROW.matcher(Files.readString(Path.of("../docs/configuration.md")));
        while (rows.find()) {
            documented.put(rows.group(1), rows.group(2) + " | " + rows.group(3));
        }
        Map<String, String> settings = new TreeMap<>();
        TidingsConfig.SETTINGS.forEach(
                setting -> settings.put(setting.name(), written(setting) + " | " + setting.range()));
        assertTrue(settings.size() > 30, "only " + settings.size() + " settings");
        assertEquals(new TreeSet<>(settings.keySet()), new TreeSet<>(documented.keySet()));
        assertEquals(settings, documented);
    }

    private static String written(Setting<?> setting) {
        return switch (setting.name()) {
            case "tidings.node.id" -> "(made at each start)";
            case "tidings.agents.allowed-origins" -> "(all)";
            case "tidings.api-key", "tidings.commands.agent", "tidings.conversations.path" -> "(none)";
            case "tidings.delivery.max-bytes" -> "(a quarter of the heap, at most 268435456)";
            case "tidings.http.allowed-origins" -> "(its own)";
            default -> setting.standard();
        };
    }
}
