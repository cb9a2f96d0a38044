package dev.tidings.standalone.outside;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidings.blackbox.RawSocket;
import dev.tidings.blackbox.SignedClient;
import dev.tidings.blackbox.WatchSocket;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How sockets go, seen from outside: with a stop, and without a word. */
@Tag("stress")
class DrainIT {
    /** Enough for the first to be seen going while others are still there. */
    private static final int SOCKETS = Stress.size("drained", 60);

    private static final int VANISHING = Stress.size("vanishing", 50);
    private static final int STAYING = 5;
    private static final int GOING_AWAY = 1001;
    private static final int DRAINING = 4000;

    private final Follower.Common common = new Follower.Common();

    /** Readiness goes first: when the first socket is told to go, nobody new is sent here. */
    @Test
    void sigterm_saysNotReadyFirst_thenClosesEachSocketInItsWay(@TempDir Path data) throws Exception {
        try (RunningServer server = RunningServer.start(data);
                ServerCounters counters = ServerCounters.of(server);
                Swarm swarm = new Swarm()) {
            SignedClient owner = SignedClient.newAccount(server.base());
            String session = owner.newSession();
            List<Follower> followers = new ArrayList<>();
            for (int i = 0; i < SOCKETS; i++) {
                Follower follower = new Follower(common);
                RawSocket socket = RawSocket.open(server.base(), subprotocol(i), RawSocket.USUAL_BUFFER);
                follower.connecting();
                Stress.subscribe(socket, owner, follower, session);
                swarm.adopt(socket, follower);
                followers.add(follower);
            }
            counters.await("subscribed", counts -> counts.of("SUBSCRIPTIONS") == SOCKETS);
            URI health = URI.create(server.base() + "/agents/api/health");
            assertEquals(200, SignedClient.get(health).statusCode());

            server.terminate();
            List<CompletableFuture<Integer>> closings =
                    followers.stream().map(Follower::whenClosed).toList();
            Stress.await(CompletableFuture.anyOf(closings.toArray(CompletableFuture[]::new)), "no socket goes");
            assertEquals(503, SignedClient.get(health).statusCode(), "the first socket went before readiness");

            for (int i = 0; i < SOCKETS; i++) {
                int code = Stress.await(closings.get(i), "a socket stays");
                assertEquals(subprotocol(i).isEmpty() ? GOING_AWAY : DRAINING, code);
            }
            server.stop();
        }
        Stress.assertClean(common);
    }

    private static String subprotocol(int socket) {
        return socket % 2 == 0 ? "" : WatchSocket.V2;
    }

    /** Half-open: the kernel at the other end still takes bytes, but nobody is there. */
    @Test
    void vanishedSockets_areFreed_andTheOthersStay(@TempDir Path data) throws Exception {
        try (RunningServer server = RunningServer.start(
                        data,
                        Map.of(
                                "TIDINGS_HEARTBEAT_INTERVAL", "PT1S",
                                "TIDINGS_HEARTBEAT_TIMEOUT", "PT5S",
                                "TIDINGS_OUTBOX_SEND_TIMEOUT", "PT2S",
                                "TIDINGS_WINDOW_LINGER", "PT0S"));
                ServerCounters counters = ServerCounters.of(server);
                Swarm swarm = new Swarm()) {
            SignedClient owner = SignedClient.newAccount(server.base());
            String session = owner.newSession();
            List<Callable<RawSocket>> tasks = new ArrayList<>();
            for (int i = 0; i < VANISHING; i++) {
                tasks.add(() -> {
                    RawSocket socket = RawSocket.open(server.base(), "", RawSocket.USUAL_BUFFER);
                    Stress.subscribe(socket, owner, new Follower(common), session);
                    return socket;
                });
            }
            List<RawSocket> vanished = Stress.parallel(8, tasks);
            List<Follower> staying = new ArrayList<>();
            for (int i = 0; i < STAYING; i++) {
                staying.add(new Follower(common));
                Stress.follow(swarm, owner, server.base(), staying.get(i), session);
            }
            counters.await(
                    "only who answers is left",
                    counts -> counts.of("SOCKETS") == STAYING
                            && counts.of("SUBSCRIPTIONS") == STAYING
                            && counts.of("SENDS") >= VANISHING);
            owner.message(session, "still there");
            for (Follower follower : staying) {
                Stress.await(follower.when(session, 2), "who stayed gets nothing");
            }
            swarm.close();
            counters.await(
                    "nobody is left",
                    counts ->
                            counts.of("SOCKETS") == 0 && counts.of("SUBSCRIPTIONS") == 0 && counts.of("STREAMS") == 0);
            vanished.forEach(RawSocket::reset);
            System.out.println("vanished: " + VANISHING + " sockets; " + counters.counts());
        }
        Stress.assertClean(common);
    }
}
