package dev.tidings.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who is turned away before an upgrade. */
class AgentsDoorIT {

    private static final String UPGRADE = "GET /agents/ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n"
            + "Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n";

    @AfterEach
    void unset() {
        System.clearProperty("tidings.agents.enabled");
        System.clearProperty("tidings.agents.allowed-origins");
    }

    @Test
    void switchedOff_everyPath_is404(@TempDir Path data) throws Exception {
        System.setProperty("tidings.agents.enabled", "false");
        Server server = start(data);
        try {
            for (String request : new String[] {
                UPGRADE + "\r\n",
                RawClient.get("/agents/api/health"),
                "POST /agents/api/message HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n",
                "POST /api/message HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"
            }) {
                assertRefused("404", "not_found", server, request);
            }
        } finally {
            server.stop();
        }
    }

    @Test
    void originsNarrowed_otherPages_get403(@TempDir Path data) throws Exception {
        System.setProperty("tidings.agents.allowed-origins", "https://desk.example, https://other.example");
        Server server = start(data);
        try {
            assertEquals("101", status(server, UPGRADE + "Origin: https://desk.example\r\n\r\n"));
            assertEquals("101", status(server, UPGRADE + "\r\n"));
            assertRefused("403", "forbidden_origin", server, UPGRADE + "Origin: https://evil.example\r\n\r\n");
        } finally {
            server.stop();
        }
    }

    private static Server start(Path data) {
        return Server.start(
                new Options("127.0.0.1", 0, data, Options.OtherDatabase.NONE, Optional.empty(), false),
                Faces.ofTidings());
    }

    /** Law 9: with a stable code. */
    private static void assertRefused(String status, String code, Server server, String request) throws Exception {
        try (RawClient client = new RawClient(server.port())) {
            client.send(request);
            String response = client.response();
            assertTrue(response.startsWith("HTTP/1.1 " + status + " "), response);
            assertTrue(response.endsWith("}") && response.contains("\"code\":\"" + code + "\""), response);
        }
    }

    private static String status(Server server, String request) throws Exception {
        try (RawClient client = new RawClient(server.port())) {
            client.send(request);
            String response = client.head();
            assertTrue(response.startsWith("HTTP/1.1 "), response);
            return response.substring(9, 12);
        }
    }
}
