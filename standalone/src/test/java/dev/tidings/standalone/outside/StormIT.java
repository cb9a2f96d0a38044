package dev.tidings.standalone.outside;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.blackbox.RawSocket;
import dev.tidings.blackbox.SignedClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Law 12: all sockets go at once and come back at once; the log is read for streams, not for sockets. */
@Tag("stress")
class StormIT {
    private static final int SOCKETS = Stress.size("sockets", 200);
    private static final int SESSIONS = 10;
    private static final int TURNS = 20;
    private static final int TURNS_WHILE_AWAY = 5;
    private static final int AT_ONCE = 32;
    /** Tens, not thousands. */
    private static final int MOST_READS = 99;

    private final Follower.Common common = new Follower.Common();
    private final List<String> sessions = new ArrayList<>();
    private final List<Follower> followers = new ArrayList<>();

    @Test
    void socketsDroppedAtOnce_comeBack_servedFromWindows(@TempDir Path data) throws Exception {
        try (RunningServer server = RunningServer.start(data);
                ServerCounters counters = ServerCounters.of(server);
                Swarm swarm = new Swarm()) {
            SignedClient owner = SignedClient.newAccount(server.base());
            make(owner);
            List<RawSocket> sockets = connect(swarm, owner, server, 2L * TURNS);
            talk(owner, TURNS_WHILE_AWAY);
            Stress.awaitAll(reaching(2L * (TURNS + TURNS_WHILE_AWAY)), "live");
            long before = counters.counts().of("PAGE_READS");
            sockets.forEach(RawSocket::reset);
            counters.await("all are gone", counts -> counts.of("SOCKETS") == 0);
            talk(owner, TURNS_WHILE_AWAY);
            connect(swarm, owner, server, 2L * (TURNS + 2 * TURNS_WHILE_AWAY));
            settle("dropped", counters, before);
        }
    }

    @Test
    void serverKilled_socketsComeBack_andShareTheReadsOfTheLog(@TempDir Path data) throws Exception {
        SignedClient owner;
        try (RunningServer server = RunningServer.start(data);
                Swarm swarm = new Swarm()) {
            owner = SignedClient.newAccount(server.base());
            make(owner);
            connect(swarm, owner, server, 2L * TURNS);
            talk(owner, TURNS_WHILE_AWAY);
            server.kill();
        }
        // Half of them have lost what they knew; the others may have missed the last turns.
        for (int i = 0; i < followers.size() / 2; i++) {
            followers.set(i, new Follower(common));
        }
        try (RunningServer again = RunningServer.start(data);
                ServerCounters counters = ServerCounters.of(again);
                Swarm swarm = new Swarm()) {
            connect(swarm, owner.at(again.base()), again, 2L * (TURNS + TURNS_WHILE_AWAY));
            settle("killed", counters, 0);
        }
    }

    private void make(SignedClient owner) {
        String agent = owner.newAgent();
        for (int i = 0; i < SESSIONS; i++) {
            sessions.add(owner.newSession(agent));
        }
        for (int i = 0; i < SOCKETS; i++) {
            followers.add(new Follower(common));
        }
        talk(owner, TURNS);
    }

    private void talk(SignedClient owner, int turns) {
        for (int turn = 0; turn < turns; turn++) {
            CompletableFuture.allOf(sessions.stream()
                            .map(session -> owner.messageAsync(session, "hello"))
                            .toArray(CompletableFuture[]::new))
                    .join();
        }
    }

    /** All followers connect, each to its session, and get to that number. */
    private List<RawSocket> connect(Swarm swarm, SignedClient owner, RunningServer server, long head)
            throws InterruptedException {
        List<Callable<RawSocket>> tasks = new ArrayList<>();
        List<CompletableFuture<Void>> all = reaching(head);
        for (int i = 0; i < followers.size(); i++) {
            Follower follower = followers.get(i);
            String session = session(i);
            tasks.add(() -> Stress.follow(swarm, owner, server.base(), follower, session));
        }
        List<RawSocket> sockets = Stress.parallel(AT_ONCE, tasks);
        Stress.awaitAll(all, "caught up");
        return sockets;
    }

    private String session(int follower) {
        return sessions.get(follower % SESSIONS);
    }

    private List<CompletableFuture<Void>> reaching(long head) {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < followers.size(); i++) {
            all.add(followers.get(i).when(session(i), head));
        }
        return all;
    }

    private void settle(String what, ServerCounters counters, long readsBefore) throws InterruptedException {
        // Who had missed nothing is there as soon as it asks, too.
        counters.await("all have subscribed", counts -> counts.of("SUBSCRIPTIONS") == SOCKETS);
        Stress.assertClean(common);
        long reads = counters.counts().of("PAGE_READS") - readsBefore;
        System.out.println(
                "storm, " + what + ": " + SOCKETS + " sockets, " + reads + " page reads; " + counters.counts());
        assertTrue(reads <= MOST_READS, () -> reads + " pages were read for " + SOCKETS + " sockets");
    }
}
