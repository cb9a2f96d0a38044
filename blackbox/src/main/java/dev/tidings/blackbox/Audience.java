package dev.tidings.blackbox;

import static dev.tidings.blackbox.WatchSocket.type;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Everybody who may be interested in an agent, each with sockets of several keys: its owner, a writer, a reader, one who was
 * invited only, one who was removed while subscribed, a stranger.
 *
 * <p>Threads: one test's.
 */
final class Audience {
    final SignedClient owner;
    final SignedClient writer;
    final SignedClient reader;
    final SignedClient pending;
    final SignedClient removed;
    final SignedClient stranger;
    final String agent;
    final String session;
    private final Map<String, WatchSocket> sockets = new LinkedHashMap<>();
    private final Map<String, SignedClient> holders = new LinkedHashMap<>();

    private Audience(URI base) {
        owner = SignedClient.newAccount(base);
        writer = SignedClient.newAccount(base);
        reader = SignedClient.newAccount(base);
        pending = SignedClient.newAccount(base);
        removed = SignedClient.newAccount(base);
        stranger = SignedClient.newAccount(base);
        agent = owner.newAgent();
        session = owner.newSession(agent);
    }

    static Audience of(URI base) {
        Audience audience = new Audience(base);
        audience.join(audience.writer, "writer");
        audience.join(audience.reader, "reader");
        audience.join(audience.removed, "reader");
        Suite.invite(audience.owner, audience.pending, audience.agent, "reader");
        audience.openSockets();
        audience.owner.call(
                "RemoveAgentCollaborator", Map.of("agentId", audience.agent, "accountId", audience.removed.account()));
        audience.settle();
        return audience;
    }

    private void join(SignedClient guest, String role) {
        Suite.invite(owner, guest, agent, role);
        guest.call("AcceptAgentInvite", Map.of("agentId", agent));
    }

    private void openSockets() {
        open("owner: account", owner, accountKey(owner));
        open("owner: agent", owner, agentKey());
        open("owner: session", owner, sessionKey());
        open("owner: all", owner, accountKey(owner), agentKey(), sessionKey());
        open("writer: account", writer, accountKey(writer));
        open("writer: all", writer, accountKey(writer), agentKey(), sessionKey());
        open("reader: agent", reader, agentKey());
        open("reader: all", reader, accountKey(reader), agentKey(), sessionKey());
        open("pending: account", pending, accountKey(pending));
        open("removed: all", removed, accountKey(removed), agentKey(), sessionKey());
        open("stranger: account", stranger, accountKey(stranger));
    }

    /** Opens one more socket. */
    WatchSocket open(String name, SignedClient client, String... keys) {
        WatchSocket socket = client.open();
        for (String key : keys) {
            assertEquals("subscribed", type(socket.subscribe(key)), name + " " + key);
        }
        sockets.put(name, socket);
        holders.put(name, client);
        return socket;
    }

    static String accountKey(SignedClient client) {
        return "account/" + client.account();
    }

    String agentKey() {
        return "agents/" + agent;
    }

    String sessionKey() {
        return "sessions/" + session;
    }

    WatchSocket socket(String name) {
        WatchSocket socket = sockets.get(name);
        if (socket == null) {
            throw new AssertionError("no socket " + name);
        }
        return socket;
    }

    /** Whose socket it is. */
    SignedClient holder(String name) {
        SignedClient holder = holders.get(name);
        if (holder == null) {
            throw new AssertionError("no socket " + name);
        }
        return holder;
    }

    /** Marks where each socket's frames stand now. */
    Map<String, Integer> mark() {
        Map<String, Integer> marks = new LinkedHashMap<>();
        sockets.forEach((name, socket) -> marks.put(name, socket.size()));
        return marks;
    }

    /**
     * Asserts who got how many frames of a kind since a mark.
     *
     * @param expected by socket; who is not named gets none
     */
    void assertCopies(Map<String, Integer> since, Predicate<JsonNode> kind, Map<String, Integer> expected) {
        expected.forEach((name, count) -> socket(name).awaitFrom(since.getOrDefault(name, 0), kind));
        settle();
        Map<String, Integer> got = new TreeMap<>();
        List<String> frames = new ArrayList<>();
        sockets.forEach((name, socket) -> {
            List<JsonNode> all = socket.frames();
            List<JsonNode> fits = all.subList(since.getOrDefault(name, 0), all.size()).stream()
                    .filter(kind)
                    .toList();
            if (!fits.isEmpty()) {
                got.put(name, fits.size());
                frames.add(name + " " + fits);
            }
        });
        assertEquals(new TreeMap<>(expected), got, () -> String.join("\n", frames));
    }

    /** Waits until a whole further turn was shown, and each socket has answered once more behind it. */
    private void settle() {
        String fence = owner.newSession(agent);
        WatchSocket watch = owner.open();
        watch.subscribe("sessions/" + fence);
        owner.message(fence, "fence");
        watch.awaitSeq(fence, 2);
        watch.close();
        sockets.forEach((name, socket) -> {
            int before = socket.size();
            socket.sendBinary(holder(name).signed("ListAgents", Map.of()));
            socket.awaitFrom(before, frame -> type(frame).equals("error"));
        });
    }
}
