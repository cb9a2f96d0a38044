package dev.tidings.servers.blackbox;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidings.blackbox.SignedClient;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

/**
 * Where keys are read from, and which wins: a file in the WAR, the environment, a system property.
 *
 * <p>Threads: as JUnit does.
 */
abstract class ConfigurationSuite {
    private static final int IN_FILE = 401;
    private static final int IN_ENVIRONMENT = 40_000;
    private static final int AS_PROPERTY = 53;

    /** The maps of the envelope, the action and the definition. */
    private static final int MAPS_AROUND = 3;

    abstract URI base();

    /** In the file alone. */
    @Test
    void key_inTheFileOfTheWar_isRead() {
        SignedClient owner = SignedClient.newAccount(base());
        String agent = owner.newAgent();
        assertLimit(
                IN_FILE,
                length -> taken(owner, "CreateSession", Map.of("agentId", agent, "title", "x".repeat(length))));
    }

    /** In the file with 30,000, in the environment with 40,000. */
    @Test
    void key_inTheEnvironment_winsOverTheFile() {
        SignedClient owner = SignedClient.newAccount(base());
        int frame = "{\"name\":\"\"}".length();
        assertLimit(
                IN_ENVIRONMENT,
                bytes -> taken(owner, "CreateAgent", Map.of("definition", Map.of("name", "x".repeat(bytes - frame)))));
    }

    /** In the file with 51, in the environment with 52, as a system property with 53. */
    @Test
    void key_asASystemProperty_winsOverBoth() {
        SignedClient owner = SignedClient.newAccount(base());
        assertLimit(
                AS_PROPERTY,
                depth -> taken(
                        owner,
                        "CreateAgent",
                        Map.of("definition", Map.of("name", "Deep", "deep", lists(depth - MAPS_AROUND)))));
    }

    private static void assertLimit(int limit, IntPredicate isTaken) {
        assertEquals(List.of(true, false), List.of(isTaken.test(limit), isTaken.test(limit + 1)), "limit " + limit);
    }

    private static boolean taken(SignedClient owner, String action, Map<String, ?> members) {
        int status = owner.send(action, members).status();
        assertEquals(0, status == 200 ? 0 : status / 100 - 4, () -> "status " + status);
        return status == 200;
    }

    private static List<Object> lists(int depth) {
        return depth == 1 ? List.of() : List.of(lists(depth - 1));
    }
}
