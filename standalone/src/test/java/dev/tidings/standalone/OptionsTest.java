package dev.tidings.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OptionsTest {
    @Test
    void parse_nothing_isLoopbackOn3051() throws Exception {
        Options options = Options.parse(List.of());
        assertEquals("127.0.0.1", options.host());
        assertEquals(3051, options.port());
        assertEquals(Path.of("data").toAbsolutePath(), options.data());
        assertEquals(Optional.empty(), options.apiKey());
        assertFalse(options.help());
    }

    @Test
    void parse_bothForms_areTheSame() throws Exception {
        assertEquals(
                Options.parse(List.of("--port", "0", "--host", "::1", "--data", "/d", "--api-key", "a=b")),
                Options.parse(List.of("--port=0", "--host=::1", "--data=/d", "--api-key=a=b")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"--prot=1", "-x", "3051", "--port=65536", "--port=-1", "--port=x", "--port=", "--host", "="})
    void parse_notUnderstood_isRefused(String argument) {
        assertThrows(Options.WrongUsage.class, () -> Options.parse(List.of(argument)));
    }

    @Test
    void parse_help_isSeenBesideOthers() throws Exception {
        assertTrue(Options.parse(List.of("--port", "1", "--help")).help());
    }

    @Test
    void parse_database_isAJdbcUrlAndAUser() throws Exception {
        Options options = Options.parse(List.of("--database", "jdbc:postgresql://h/n?a=b", "--database-user=me"));
        assertEquals(
                Optional.of("jdbc:postgresql://h/n?a=b"), options.database().url());
        assertEquals(Optional.of("me"), options.database().user());
        assertEquals(Options.OtherDatabase.NONE, Options.parse(List.of()).database());
        assertThrows(Options.WrongUsage.class, () -> Options.parse(List.of("--database", "postgresql://h/n")));
    }

    /** Law 9. */
    @Test
    void toString_withUrlOfADatabase_doesNotShowIt() throws Exception {
        assertFalse(Options.parse(List.of("--database=jdbc:postgresql://h/n?password=s3cret"))
                .toString()
                .contains("s3cret"));
    }

    /** Law 9. */
    @Test
    void toString_withKey_doesNotShowIt() throws Exception {
        assertFalse(Options.parse(List.of("--api-key", "s3cret")).toString().contains("s3cret"));
    }
}
