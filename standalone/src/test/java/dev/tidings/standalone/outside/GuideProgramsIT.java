package dev.tidings.standalone.outside;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The programs of the guide, as they stand there, run by Node. Skipped where Node is not to be had; never in CI. */
class GuideProgramsIT {
    private static final Pattern PROGRAM = Pattern.compile("(?s)```js\\n(.*?)```");

    @Test
    void watchARun_programsOfTheGuide_holdWhatTheySay(@TempDir Path folder) throws Exception {
        String guide = Files.readString(RunningServer.project().resolve("docs/guide/watch-a-run.md"));
        // Nothing in front of them: what they use is in the guide.
        StringBuilder program = new StringBuilder();
        int programs = 0;
        for (Matcher found = PROGRAM.matcher(guide); found.find(); programs++) {
            program.append(found.group(1));
        }
        assertEquals(4, programs);
        Path file = folder.resolve("guide.mjs");
        Files.writeString(file, program, StandardCharsets.UTF_8);
        boolean node = run(
                        folder,
                        "node",
                        "--experimental-websocket",
                        "-e",
                        "new WebSocket('ws://127.0.0.1:1').onerror = () => {}")
                .ok();
        if ("true".equals(System.getenv("CI"))) {
            assertTrue(node, "Node 20 or newer is not here");
        }
        assumeTrue(node, "Node 20 or newer is not here");
        try (RunningServer server = RunningServer.start(folder.resolve("data"))) {
            Result result = run(
                    folder,
                    "node",
                    "--experimental-websocket",
                    file.toString(),
                    server.base().toString());
            assertTrue(result.ok(), result::output);
            assertTrue(result.output().contains("durable finish reason: cancelled"), result::output);
        }
    }

    private record Result(int exit, String output) {
        boolean ok() {
            return exit == 0;
        }
    }

    private static Result run(Path folder, String... command) throws InterruptedException {
        try {
            Path output = Files.createTempFile(folder, "out", ".txt");
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            if (!process.waitFor(120, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return new Result(-1, "took too long");
            }
            return new Result(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
        } catch (IOException notHere) {
            return new Result(-1, command[0] + " is not here");
        }
    }
}
