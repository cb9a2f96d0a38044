package dev.tidings.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DefaultsTest {
    private static final Map<String, String> OPEN = Map.of("tidings.commands.auth", "none");

    private static Optional<String> warning(String host, Map<String, String> settings) throws Exception {
        return Defaults.warning(
                Options.parse(List.of("--host", host)), name -> Optional.ofNullable(settings.get(name)));
    }

    /** Law 6: who lets in everybody is told so, where everybody may be on another machine. */
    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::", "192.0.2.1"})
    void warning_openToOtherMachines_namesSettingAndAddress(String host) throws Exception {
        String warning = warning(host, OPEN).orElseThrow();
        assertTrue(warning.contains("tidings.commands.auth is none") && warning.contains(host), warning);
    }

    @Test
    void warning_loopbackOrKeysOrSwitchedOff_isNone() throws Exception {
        assertEquals(Optional.empty(), warning("127.0.0.1", OPEN));
        assertEquals(Optional.empty(), warning("::1", OPEN));
        assertEquals(Optional.empty(), warning("0.0.0.0", Map.of()));
        assertEquals(Optional.empty(), warning("0.0.0.0", Map.of("tidings.commands.auth", "api-key")));
        assertEquals(
                Optional.empty(),
                warning("0.0.0.0", Map.of("tidings.commands.auth", "none", "tidings.commands.enabled", "false")));
    }
}
