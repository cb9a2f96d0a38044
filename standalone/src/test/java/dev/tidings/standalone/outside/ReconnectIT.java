package dev.tidings.standalone.outside;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidings.blackbox.RawSocket;
import dev.tidings.blackbox.SignedClient;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Law 1 over a bad line: connections that are reset anywhere, and come back from anywhere. */
@Tag("stress")
class ReconnectIT {
    private static final int RECONNECTS = Stress.size("reconnects", 300);
    private static final int CLIENTS = 8;
    private static final int TALKERS = 2;

    private final Follower.Common common = new Follower.Common();
    private final AtomicLong events = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicInteger left = new AtomicInteger(RECONNECTS);

    @Test
    void reconnects_cutAnywhere_showEachEventOnceAndInOrder(@TempDir Path data) throws Exception {
        Random random = Stress.random("reconnects");
        try (RunningServer server = RunningServer.start(data);
                Swarm swarm = new Swarm()) {
            SignedClient owner = SignedClient.newAccount(server.base());
            String session = owner.newSession();
            List<Callable<Follower>> tasks = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                long seed = random.nextLong();
                tasks.add(() -> hop(owner, server.base(), session, new Random(seed)));
            }
            for (int i = 0; i < TALKERS; i++) {
                tasks.add(() -> talk(owner, session));
            }
            List<Follower> followers = Stress.parallel(tasks.size(), tasks).subList(0, CLIENTS);
            Stress.assertClean(common);
            compare(owner, server.base(), swarm, session, followers);
        }
    }

    /** Everybody reads on to the end, and has seen what is stored. */
    private void compare(SignedClient owner, URI base, Swarm swarm, String session, List<Follower> followers)
            throws InterruptedException {
        owner.message(session, "the last word");
        List<JsonNode> stored = new ArrayList<>();
        owner.call("GetSession", Map.of("sessionId", session)).get("events").forEach(stored::add);
        long head = stored.get(stored.size() - 1).get("seq").asLong();
        assertEquals(head, stored.size(), "the whole transcript");
        for (Follower follower : followers) {
            Stress.follow(swarm, owner, base, follower, session);
            Stress.await(follower.when(session, head), "a client does not reach the end");
        }
        Stress.assertClean(common);
        for (JsonNode event : stored) {
            assertEquals(
                    event.get("id").asText(),
                    common.id(session, event.get("seq").asLong()),
                    "law 2");
        }
        System.out.println(
                "reconnects: " + RECONNECTS + ", events stored " + head + ", shown " + events + ", bytes " + bytes);
    }

    /** Talks until all reconnects are done. */
    private Follower talk(SignedClient owner, String session) {
        for (int turn = 0; left.get() > 0; turn++) {
            owner.message(session, turn % 4 == 0 ? "/stream 12 20 2" : "turn " + turn);
        }
        return new Follower(common);
    }

    private Follower hop(SignedClient owner, URI base, String session, Random random) throws IOException {
        Follower follower = new Follower(common) {
            @Override
            void event(String of, JsonNode event) {
                events.incrementAndGet();
            }
        };
        while (left.getAndDecrement() > 0) {
            connection(owner, base, session, follower, random);
        }
        return follower;
    }

    /** One connection, from its handshake or less to a reset after some bytes. */
    private void connection(SignedClient owner, URI base, String session, Follower follower, Random random)
            throws IOException {
        long after = random.nextInt(5) == 0 ? random.nextLong(follower.last(session) + 1) : follower.last(session);
        int place = random.nextInt(20);
        int most = random.nextInt(200, 6_000);
        try (RawSocket socket = RawSocket.knock(base, "", RawSocket.USUAL_BUFFER)) {
            if (place == 0) {
                return;
            }
            socket.upgraded();
            if (place == 1) {
                return;
            }
            follower.connecting();
            follower.from(session, after);
            socket.send(owner.signed("Subscribe", Map.of("key", "sessions/" + session, "afterSeq", after)));
            if (place == 2) {
                return;
            }
            int read = 0;
            while (read < most) {
                int some = socket.read(most - read, follower);
                if (some < 0) {
                    follower.fault("closed with " + follower.whenClosed().getNow(0));
                    return;
                }
                read += some;
            }
            bytes.addAndGet(read);
        }
    }
}
