package dev.tidings.standalone.outside;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A client made of public packages alone: what another implementation of DAG-CBOR, Ed25519 and WebSocket makes of us.
 * Skipped where Node or its packages are not to be had; never in CI.
 */
class NodeClientIT {

    private static final boolean CI = "true".equals(System.getenv("CI"));

    @Test
    void nodeClient_createsSubscribesStreamsAndResumes(@TempDir Path folder) throws Exception {
        Path client = folder.resolve("client");
        Files.createDirectory(client);
        Path source = RunningServer.project().resolve("standalone/src/test/node");
        for (String file : new String[] {"package.json", "package-lock.json", "client.mjs"}) {
            Files.copy(source.resolve(file), client.resolve(file), StandardCopyOption.REPLACE_EXISTING);
        }
        Result node = runOrNothing(client, "node", "--version");
        require(node.ok() && major(node.output()) >= 20, "Node 20 or newer is not here");
        Result packages = runOrNothing(client, "npm", "ci", "--no-audit", "--no-fund");
        require(packages.ok(), "the packages of the client are not to be had: " + packages.output());
        try (RunningServer server = RunningServer.start(folder.resolve("data"))) {
            Result result =
                    runOrNothing(client, "node", "client.mjs", server.base().toString());
            assertTrue(result.ok(), result::output);
            assertTrue(result.output().startsWith("ok: "), result::output);
        }
    }

    private static void require(boolean condition, String otherwise) {
        if (CI) {
            assertTrue(condition, otherwise);
        }
        assumeTrue(condition, otherwise);
    }

    private static int major(String version) {
        return Integer.parseInt(version.strip().replaceFirst("v(\\d+).*", "$1"));
    }

    private record Result(int exit, String output) {
        boolean ok() {
            return exit == 0;
        }
    }

    private static Result runOrNothing(Path folder, String... command) throws InterruptedException {
        try {
            Path output = Files.createTempFile(folder, "out", ".txt");
            Process process = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            if (!process.waitFor(180, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return new Result(-1, "took too long: " + String.join(" ", command));
            }
            return new Result(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
        } catch (IOException notHere) {
            return new Result(-1, command[0] + " is not here");
        }
    }

    @Test
    void major_ofAVersion_isItsFirstNumber() {
        assertEquals(20, major("v20.20.2\n"));
    }
}
