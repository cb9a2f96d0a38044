package dev.tidings.standalone.outside;

import dev.tidings.blackbox.ConversationsSuite;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** The black-box suite of conversations against {@code ./run}. */
@TestInstance(Lifecycle.PER_CLASS)
class ConversationsBlackBoxIT extends ConversationsSuite {
    /** Some wait for a heartbeat. */
    private static final Map<String, String> CLOCKS = Map.of("TIDINGS_HEARTBEAT_INTERVAL", "PT1S");

    private Path data;
    private RunningServer server;
    private String key;

    @BeforeAll
    void start(@TempDir Path folder) {
        data = folder;
        server = RunningServer.start(data, CLOCKS);
        key = newKey();
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @Override
    protected URI base() {
        return server.base();
    }

    @Override
    protected String key() {
        return key;
    }

    @Override
    protected String newKey(String... words) {
        List<String> all = new ArrayList<>(List.of("keys", "create"));
        all.addAll(List.of(words));
        return keys(all);
    }

    @Override
    protected void revoke(String revoked) {
        // A key names itself in front of its secret.
        keys(List.of(
                "keys",
                "revoke",
                dev.tidings.ApiKeySecret.parse(revoked).orElseThrow().id()));
    }

    @Override
    protected void restart() {
        server.kill();
        server = RunningServer.start(data, CLOCKS);
    }

    private String keys(List<String> words) {
        List<String> all = new ArrayList<>(words);
        all.addAll(List.of("--data", data.toString()));
        try {
            Process process = RunningServer.command(all.toArray(String[]::new))
                    .redirectErrorStream(false)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (process.waitFor() != 0) {
                throw new AssertionError("no key: " + said);
            }
            return said;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
