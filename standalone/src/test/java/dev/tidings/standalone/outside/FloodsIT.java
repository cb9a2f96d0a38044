package dev.tidings.standalone.outside;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.blackbox.RawSocket;
import dev.tidings.blackbox.SignedClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Laws 4 and 9: who does not stop is closed with 4400 on every face, whatever the frames are that he sends. */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(120)
class FloodsIT {
    private static final String KEY = "a-key-of-this-test-and-no-other";
    private static final String BEHIND_KEY = "?api_key=" + KEY;
    /** More than the allowance and the refusals that are borne. */
    private static final int MANY = 3_000;

    private static final int ABUSE = 4400;
    private static final int OVERLOADED = 4004;

    private static final byte[] EMPTY_TEXT = {(byte) 0x81, (byte) 0x80, 0, 0, 0, 0};
    private static final byte[] PING = {(byte) 0x89, (byte) 0x80, 0, 0, 0, 0};
    private static final byte[] PONG = {(byte) 0x8a, (byte) 0x80, 0, 0, 0, 0};
    private static final byte[] PIECE = {0, (byte) 0x80, 0, 0, 0, 0};
    private static final byte[] FIRST_PIECE = {1, (byte) 0x80, 0, 0, 0, 0};
    private static final byte[] NOTHING = {};

    private RunningServer server;
    private String session;

    @BeforeAll
    void start(@TempDir Path data) {
        server = RunningServer.start(
                data,
                Map.of(
                        "TIDINGS_API_KEY", KEY,
                        "TIDINGS_COMMANDS_AUTH", "api-key",
                        "TIDINGS_AGENTS_MAX_REFUSALS", "200"));
        session = SignedClient.newAccount(server.base()).newSession();
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @Test
    void agents_anyFlood_isClosed() throws Exception {
        assertClosed("/agents/ws", "", Set.of(ABUSE));
    }

    @Test
    void everything_anyFlood_isClosed() throws Exception {
        assertClosed("/ws" + BEHIND_KEY, "tidings.conversations", Set.of(ABUSE));
    }

    @Test
    void conversation_anyFlood_isClosed() throws Exception {
        assertClosed("/conversations/" + session + "/ws" + BEHIND_KEY, "tidings.conversations", Set.of(ABUSE));
    }

    /** Of commands that are in order some may wait; more than that is told to come back, if it comes before the refusals. */
    @Test
    void commands_anyFlood_isClosed() throws Exception {
        assertClosed("/ws/sessions/" + session + BEHIND_KEY, "tidings.commands", Set.of(ABUSE, OVERLOADED));
    }

    private void assertClosed(String path, String subprotocol, Set<Integer> forMessages) throws Exception {
        int code = flooded(path, subprotocol, NOTHING, EMPTY_TEXT);
        assertTrue(forMessages.contains(code), "messages: " + code);
        assertEquals(ABUSE, flooded(path, subprotocol, NOTHING, PING), "pings");
        assertEquals(ABUSE, flooded(path, subprotocol, NOTHING, PONG), "pongs");
        assertEquals(ABUSE, flooded(path, subprotocol, FIRST_PIECE, PIECE), "pieces");
    }

    /** Sends a frame over and over, reading meanwhile; gives the code with which the socket was closed. */
    private int flooded(String path, String subprotocol, byte[] first, byte[] frame) throws Exception {
        CompletableFuture<Integer> closed = new CompletableFuture<>();
        try (RawSocket socket = RawSocket.open(server.base(), path, subprotocol, RawSocket.USUAL_BUFFER)) {
            Thread reader = new Thread(() -> read(socket, closed), "reads what a flood brings");
            reader.start();
            try {
                socket.sendRaw(first);
                for (int i = 0; i < MANY && !closed.isDone(); i++) {
                    socket.sendRaw(frame);
                }
            } catch (IOException closedMeanwhile) {
                // The reader has the code.
            }
            return Stress.await(closed, "the flood goes on");
        }
    }

    private static void read(RawSocket socket, CompletableFuture<Integer> closed) {
        try {
            int count = 0;
            while (count >= 0) {
                count = socket.read(64 * 1024, new RawSocket.Inbox() {
                    @Override
                    public void text(byte[] utf8) {
                        // Refusals.
                        assertEquals('{', new String(utf8, StandardCharsets.UTF_8).charAt(0));
                    }

                    @Override
                    public void closed(int code) {
                        closed.complete(code);
                    }
                });
            }
        } catch (IOException | RuntimeException | AssertionError broken) {
            closed.completeExceptionally(broken);
        }
    }
}
