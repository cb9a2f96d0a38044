package dev.tidings.standalone.outside;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.blackbox.SignedClient;
import dev.tidings.blackbox.WatchSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code ./run} says and how it ends. */
class RunScriptIT {

    @Test
    void sigterm_closesSocketsWith1001AndKeepsWhatWasStored(@TempDir Path data) {
        SignedClient owner;
        String session;
        try (RunningServer server = RunningServer.start(data)) {
            owner = SignedClient.newAccount(server.base());
            session = owner.newSession();
            owner.message(session, "kept");
            WatchSocket socket = owner.open();
            socket.subscribe("sessions/" + session);
            server.stop();
            assertEquals(1001, socket.awaitClose());
        }
        try (RunningServer again = RunningServer.start(data)) {
            WatchSocket socket = owner.at(again.base()).open();
            socket.subscribe("sessions/" + session);
            socket.awaitSeq(session, 2);
        }
    }

    @Test
    void help_listsTheOptions(@TempDir Path folder) throws Exception {
        Said help = say(folder, "--help");
        assertEquals(0, help.exit());
        for (String option : new String[] {"--port", "--host", "--data", "--database", "--api-key", "--help", "3051"}) {
            assertTrue(help.text().contains(option), help::text);
        }
    }

    @Test
    void unknownOption_isNamed(@TempDir Path folder) throws Exception {
        Said said = say(folder, "--prot", "1");
        assertEquals(2, said.exit());
        assertTrue(said.text().contains("--prot"), said::text);
    }

    /** The key and what it must be, and not what it was: that may be a secret. */
    @Test
    void settingOutOfItsRange_isNamed(@TempDir Path folder) throws Exception {
        Said said = say(
                folder,
                Map.of("TIDINGS_OUTBOX_SEND_TIMEOUT", "s3cret"),
                "--port",
                "0",
                "--data",
                folder.resolve("data").toString());
        assertEquals(1, said.exit());
        assertTrue(said.text().contains("tidings.outbox.send-timeout must be"), said::text);
        assertTrue(!said.text().contains("s3cret") && !said.text().contains("Exception"), said::text);
    }

    @Test
    void secondServer_overTheSameData_saysSo(@TempDir Path folder) throws Exception {
        Path data = folder.resolve("data");
        try (RunningServer first = RunningServer.start(data)) {
            assertTrue(first.base().getPort() > 0);
            Said said = say(folder, "--port", "0", "--data", data.toString());
            assertEquals(1, said.exit());
            assertTrue(said.text().contains("data"), said::text);
            assertTrue(!said.text().contains("Exception"), said::text);
        }
    }

    /** Law 9: what is said of a database that cannot be used names no URL and no class. */
    @Test
    void databaseThatIsNotThere_isSaid(@TempDir Path folder) throws Exception {
        for (String url : new String[] {
            "jdbc:postgresql://127.0.0.1:1/none?password=s3cret",
            "jdbc:mariadb://127.0.0.1:1/none?password=s3cret",
            "jdbc:nothing:s3cret"
        }) {
            Said said =
                    say(folder, "--port", "0", "--data", folder.resolve("data").toString(), "--database", url);
            assertEquals(1, said.exit(), said::text);
            assertTrue(said.text().contains("database"), said::text);
            assertTrue(!said.text().contains("Exception") && !said.text().contains("s3cret"), said::text);
        }
    }

    /** The key alone goes to standard output; both ends of a process that is not the server's. */
    @Test
    void keys_whileAServerRuns_areMadeAndRevoked(@TempDir Path folder) throws Exception {
        Path data = folder.resolve("data");
        try (RunningServer server = RunningServer.start(data)) {
            assertTrue(server.base().getPort() > 0);
            Said made = say(folder, "keys", "create", "--label", "page", "--data", data.toString());
            assertEquals(0, made.exit());
            assertTrue(made.text().matches("tdg_[0-9a-f]{16}_[A-Za-z0-9_-]{43}\n"), "not a key alone");
            String id = made.text().substring(4, 20);
            Said revoked = say(folder, "keys", "revoke", id, "--data", data.toString());
            assertEquals(new Said(0, "revoked " + id + "\n"), revoked);
            Said again = say(folder, "keys", "revoke", id, "--data", data.toString());
            assertEquals(1, again.exit());
            Files.delete(data.resolve("admin"));
            Said locked = say(folder, "keys", "list", "--data", data.toString());
            assertEquals(1, locked.exit());
            assertTrue(locked.text().contains("running server"), locked::text);
        }
        assertEquals(2, say(folder, "keys", "make").exit());
    }

    private record Said(int exit, String text) {}

    private static Said say(Path folder, String... arguments) throws Exception {
        return say(folder, Map.of(), arguments);
    }

    private static Said say(Path folder, Map<String, String> environment, String... arguments) throws Exception {
        Path output = Files.createTempFile(folder, "said", ".txt");
        ProcessBuilder command = RunningServer.command(arguments).redirectOutput(output.toFile());
        command.environment().putAll(environment);
        Process process = command.start();
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), "still running");
        return new Said(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
    }
}
