package dev.tidings.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.ApiKeySecret;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./run keys}, while the server runs and while it does not. */
class KeysIT {

    @AfterEach
    void unset() {
        System.clearProperty("tidings.agents.enabled");
        System.clearProperty("tidings.commands.enabled");
    }

    private static KeyDesk.Answer keys(Path data, String... words) throws Exception {
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--data", data.toString()));
        return Keys.run(all);
    }

    private static Server start(Path data) {
        System.clearProperty("tidings.agents.enabled");
        System.clearProperty("tidings.commands.enabled");
        return Server.start(new Options("127.0.0.1", 0, data, Optional.empty(), false), Faces.ofTidings());
    }

    @Test
    void keys_madeWithoutAServer_areRevokedThroughOne(@TempDir Path data) throws Exception {
        String text = keys(data, "create", "--new", "--label", "first\u0007").text();
        ApiKeySecret secret = ApiKeySecret.parse(text).orElseThrow();
        Server server = start(data);
        try {
            Path file = data.resolve("admin");
            assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
            KeyDesk.Answer listed = keys(data, "list");
            assertTrue(listed.text().matches(secret.id() + "  [0-9TZ:.-]+  all  first\\?"), listed.text());
            assertFalse(listed.text().contains(text.substring(21)));
            assertEquals(new KeyDesk.Answer(true, "revoked " + secret.id()), keys(data, "revoke", secret.id()));
            assertEquals(
                    new KeyDesk.Answer(false, "there is no key " + secret.id()), keys(data, "revoke", secret.id()));
            assertEquals(new KeyDesk.Answer(true, "there are no keys"), keys(data, "list"));
            assertEquals(new KeyDesk.Answer(false, "there is no agent none"), keys(data, "create", "--agent", "none"));
            assertEquals(
                    new KeyDesk.Answer(false, "there is no session none"), keys(data, "create", "--session", "none"));
        } finally {
            server.stop();
        }
        assertFalse(Files.exists(data.resolve("admin")));
        assertEquals(new KeyDesk.Answer(true, "there are no keys"), keys(data, "list"));
    }

    @Test
    void door_wrongSecret_isHungUpOn(@TempDir Path data) throws Exception {
        Server server = start(data);
        try {
            int port =
                    Integer.parseInt(Files.readAllLines(data.resolve("admin")).get(0));
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                socket.setSoTimeout(20_000);
                socket.getOutputStream()
                        .write(("POST / HTTP/1.1\r\n" + "x".repeat(100)).getBytes(StandardCharsets.US_ASCII));
                assertTrue(hungUp(socket));
            }
            assertTrue(keys(data, "list").done());
        } finally {
            server.stop();
        }
    }

    /** Law 5: who connects and says nothing keeps nobody from revoking a key. */
    @Test
    void door_silentCallers_keepNobodyOut(@TempDir Path data) throws Exception {
        Server server = start(data);
        List<Socket> silent = new ArrayList<>();
        try {
            int port =
                    Integer.parseInt(Files.readAllLines(data.resolve("admin")).get(0));
            for (int i = 0; i < 12; i++) {
                silent.add(new Socket(InetAddress.getLoopbackAddress(), port));
            }
            assertEquals(new KeyDesk.Answer(true, "there are no keys"), keys(data, "list"));
            for (Socket each : silent) {
                each.setSoTimeout(20_000);
                assertTrue(hungUp(each));
            }
        } finally {
            for (Socket each : silent) {
                each.close();
            }
            server.stop();
        }
    }

    private static boolean hungUp(Socket socket) {
        try {
            return socket.getInputStream().read() < 0;
        } catch (IOException reset) {
            return true;
        }
    }

    /** A directory that was mistyped is no new server's. */
    @Test
    void keys_noData_areNotMade(@TempDir Path parent) throws Exception {
        Path data = parent.resolve("typo");
        for (String act : List.of("create", "list")) {
            KeyDesk.Answer answer = keys(data, act);
            assertFalse(answer.done());
            assertTrue(answer.text().startsWith("there is no data in " + data), answer.text());
        }
        assertFalse(Files.exists(data));
    }

    /** What keys and messages are in is for its owner alone. */
    @Test
    void keys_newData_areTheOwnersAlone(@TempDir Path parent) throws Exception {
        Path data = parent.resolve("a/b");
        assertTrue(keys(data, "create", "--new").done());
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(data)));
        Path file = data.resolve("tidings.mv.db");
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    }

    /** A server that died leaves the file; somebody else's port is no server. */
    @Test
    void keys_fileOfADeadServer_areOnTheDatabase(@TempDir Path data) throws Exception {
        assertTrue(keys(data, "create", "--new").done());
        Files.writeString(data.resolve("admin"), "1\nx\n");
        assertTrue(keys(data, "list").done());
        Files.writeString(data.resolve("admin"), "nonsense");
        assertTrue(keys(data, "list").done());
    }
}
