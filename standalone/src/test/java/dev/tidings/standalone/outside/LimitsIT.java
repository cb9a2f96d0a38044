package dev.tidings.standalone.outside;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidings.blackbox.SignedClient;
import dev.tidings.blackbox.WatchSocket;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Law 9: limits that are too high by default for a test to reach, each with its code. */
class LimitsIT {

    @Test
    void sockets_ofAnAccountAndOfAnAddress_areLimited(@TempDir Path data) {
        Map<String, String> limits =
                Map.of("TIDINGS_AGENTS_MAX_SOCKETS_PER_ACCOUNT", "2", "TIDINGS_AGENTS_MAX_SOCKETS_PER_ADDRESS", "4");
        try (RunningServer server = RunningServer.start(data, limits)) {
            SignedClient owner = SignedClient.newAccount(server.base());
            String key = "account/" + owner.account();
            WatchSocket first = owner.open();
            assertEquals("subscribed", WatchSocket.type(first.subscribe(key)));
            assertEquals("subscribed", WatchSocket.type(owner.open().subscribe(key)));

            WatchSocket third = owner.open();
            JsonNode refused = third.subscribe(key);
            assertEquals("too_many_sockets", refused.get("code").asText());
            SignedClient other = SignedClient.newAccount(server.base());
            assertEquals(
                    "subscribed", WatchSocket.type(third.subscribeAs(other, "account/" + other.account(), Map.of())));

            owner.open();
            AssertionError closed =
                    assertThrows(AssertionError.class, () -> owner.open().await(frame -> false));
            assertTrue(String.valueOf(closed.getMessage()).contains("closed with 4005"), closed::getMessage);
            assertEquals("subscribed", WatchSocket.type(first.subscribe(key)), "the others go on");
        }
    }
}
