package dev.tidings.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The dashboard of the guide, run. Skipped where Node is not to be had; never in CI. */
class DashboardTest {

    @Test
    void dashboard_events_areShownAndResumed() throws Exception {
        Process process;
        try {
            process = new ProcessBuilder("node", "src/test/node/dashboard.mjs", "../docs/guide/dashboard.html")
                    .directory(Path.of("").toAbsolutePath().toFile())
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException notHere) {
            assertTrue(System.getenv("CI") == null, "Node is not here");
            assumeTrue(false, "Node is not here");
            return;
        }
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        assertEquals("ok", said.strip());
    }
}
