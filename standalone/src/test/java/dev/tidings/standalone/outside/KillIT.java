package dev.tidings.standalone.outside;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidings.blackbox.Answer;
import dev.tidings.blackbox.RawSocket;
import dev.tidings.blackbox.SignedClient;
import dev.tidings.blackbox.WatchSocket;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code kill -9} under appends and subscriptions: laws 1, 2, 3 and 10 over the death of the process. */
@Tag("stress")
class KillIT {
    private static final int KILLS = Stress.size("kills", 3);
    private static final int SESSIONS = 4;

    /** Assistant messages that a client was told of. */
    private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();

    private final Follower.Common common = new Follower.Common();
    private final AtomicInteger hops = new AtomicInteger();
    /** Events that a socket was shown, by id. */
    private final Map<String, JsonNode> shown = new ConcurrentHashMap<>();

    @Test
    void killedAgainAndAgainUnderLoad_nothingAcknowledgedOrShownIsLost(@TempDir Path data) throws Exception {
        Random random = Stress.random("kill -9");
        SignedClient owner = null;
        List<String> sessions = new ArrayList<>();
        for (int round = 0; round < KILLS; round++) {
            try (RunningServer server = RunningServer.start(data)) {
                owner = owner == null ? SignedClient.newAccount(server.base()) : owner.at(server.base());
                if (sessions.isEmpty()) {
                    String agent = owner.newAgent();
                    for (int i = 0; i < SESSIONS; i++) {
                        sessions.add(owner.newSession(agent));
                    }
                }
                loadThenKill(server, owner, sessions, random);
            }
        }
        try (RunningServer server = RunningServer.start(data)) {
            SignedClient last = Objects.requireNonNull(owner).at(server.base());
            Set<String> lost = new HashSet<>(acknowledged);
            for (String session : sessions) {
                lost.removeAll(check(last, session));
            }
            assertEquals(Set.of(), lost, "acknowledged, so stored");
            Stress.assertClean(common);
            System.out.println("kill -9: " + KILLS + " times, " + acknowledged.size() + " answers acknowledged, "
                    + shown.size() + " events shown, " + hops + " reconnects");
        }
    }

    /** Talks in every session and watches it, and kills the server after so many answers. */
    private void loadThenKill(RunningServer server, SignedClient owner, List<String> sessions, Random random)
            throws InterruptedException {
        CountDownLatch enough = new CountDownLatch(random.nextInt(8, 40));
        ExecutorService pool = Executors.newFixedThreadPool(2 * sessions.size());
        List<WatchSocket> sockets = new ArrayList<>();
        for (String session : sessions) {
            WatchSocket socket = owner.open();
            socket.subscribe("sessions/" + session);
            sockets.add(socket);
            pool.execute(() -> talk(owner, session, enough));
            long seed = random.nextLong();
            pool.execute(() -> hop(owner, server.base(), session, new Random(seed)));
        }
        assertTrue(enough.await(120, TimeUnit.SECONDS), "no load");
        server.kill();
        pool.shutdownNow();
        assertTrue(pool.awaitTermination(60, TimeUnit.SECONDS), "the talkers do not end");
        for (int i = 0; i < sessions.size(); i++) {
            sockets.get(i).awaitClose();
            List<Long> seqs = sockets.get(i).seqs(sessions.get(i));
            assertEquals(LongStream.rangeClosed(1, seqs.size()).boxed().toList(), seqs, "law 1");
            sockets.get(i)
                    .appends(sessions.get(i))
                    .forEach(event -> shown.put(event.get("id").asText(), event));
        }
    }

    private void talk(SignedClient owner, String session, CountDownLatch enough) {
        try {
            for (int turn = 0; !Thread.currentThread().isInterrupted(); turn++) {
                Answer answer = owner.messageAsync(session, turn % 3 == 0 ? "/stream 12 20 2" : "turn " + turn)
                        .join();
                if (answer.status() == 200) {
                    String id = answer.body().get("assistantEventId").asText();
                    if (!id.isEmpty()) {
                        acknowledged.add(id);
                    }
                    enough.countDown();
                }
            }
        } catch (RuntimeException serverIsGone) {
            // That is the point.
        }
    }

    /** Subscribes again and again from anywhere, until the server is gone. */
    private void hop(SignedClient owner, URI base, String session, Random random) {
        Follower hopper = new Follower(common) {
            @Override
            void event(String of, JsonNode event) {
                shown.put(event.get("id").asText(), event);
            }
        };
        try {
            while (!Thread.currentThread().isInterrupted()) {
                long after = random.nextLong(hopper.last(session) + 1);
                try (RawSocket socket = RawSocket.open(base, "", RawSocket.USUAL_BUFFER)) {
                    hopper.connecting();
                    hopper.from(session, after);
                    socket.send(owner.signed("Subscribe", Map.of("key", "sessions/" + session, "afterSeq", after)));
                    int most = random.nextInt(500, 8_000);
                    for (int read = 0, some = 0; read < most && some >= 0; read += some) {
                        some = socket.read(most - read, hopper);
                    }
                    hops.incrementAndGet();
                }
            }
        } catch (IOException serverIsGone) {
            // That is the point.
        }
    }

    /** Checks one session and gives the ids of its events. */
    private Set<String> check(SignedClient owner, String session) {
        // A turn that was queued at the kill runs at the restart; behind it, this one is the last.
        owner.message(session, "the last word");
        WatchSocket socket = owner.open();
        socket.subscribe("sessions/" + session);
        long asked = socket.await(
                        frame -> frame.at("/event/event/content").asText().equals("the last word"))
                .at("/event/seq")
                .asLong();
        socket.awaitSeq(session, asked + 1);
        socket.close();

        Map<String, JsonNode> byId = new HashMap<>();
        List<Long> seqs = new ArrayList<>();
        long errors = 0;
        for (JsonNode event :
                owner.call("GetSession", Map.of("sessionId", session)).get("events")) {
            byId.put(event.get("id").asText(), event);
            seqs.add(event.get("seq").asLong());
            errors += event.at("/event/type").asText().equals("error") ? 1 : 0;
        }
        assertEquals(LongStream.rangeClosed(1, seqs.size()).boxed().toList(), seqs, "law 3: no hole");
        shown.values().stream()
                .filter(event -> event.get("sessionId").asText().equals(session))
                .forEach(event -> assertEquals(event, byId.get(event.get("id").asText()), "law 2: shown, so stored"));

        long failed = 0;
        for (JsonNode run : owner.call("ListRuns", Map.of("sessionId", session, "limit", 200))
                .get("runs")) {
            String status = run.get("status").asText();
            assertTrue(Set.of("succeeded", "failed").contains(status), () -> "a run is still " + status);
            if (status.equals("failed")) {
                failed++;
                assertEquals("interrupted_by_restart", run.at("/error/code").asText());
            }
        }
        assertEquals(failed, errors, "law 10: a run that was cut ends once");
        return byId.keySet();
    }
}
