package dev.tidings.standalone.outside;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A client made of public packages alone: what another implementation of DAG-CBOR, Ed25519 and WebSocket makes of us.
 * Skipped where Node or its packages are not to be had; never in CI.
 */
class NodeClientIT {

    @Test
    void nodeClient_createsSubscribesStreamsAndResumes(@TempDir Path folder) throws Exception {
        Path client = folder.resolve("client");
        Command node = Command.run(folder, "node", "--version");
        Command.require(node.ok() && major(node.output()) >= 20, "Node 20 or newer is not here");
        Command.installPackages(
                "standalone/src/test/node", client, "package.json", "package-lock.json", ".npmrc", "client.mjs");
        try (RunningServer server = RunningServer.start(folder.resolve("data"))) {
            Command result =
                    Command.run(client, "node", "client.mjs", server.base().toString());
            assertTrue(result.ok(), result::output);
            assertTrue(result.output().startsWith("ok: "), result::output);
        }
    }

    private static int major(String version) {
        return Integer.parseInt(version.strip().replaceFirst("v(\\d+).*", "$1"));
    }

    @Test
    void major_ofAVersion_isItsFirstNumber() {
        assertEquals(20, major("v20.20.2\n"));
    }
}
