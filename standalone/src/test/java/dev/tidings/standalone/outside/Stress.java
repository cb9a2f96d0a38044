package dev.tidings.standalone.outside;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidings.blackbox.RawSocket;
import dev.tidings.blackbox.SignedClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** How large the stress tests are, and what they share. {@code -Pstress} has the full sizes. */
final class Stress {
    private static final int PATIENCE_SECONDS = 300;

    private Stress() {}

    /** A size: of the system property, or a small one. */
    static int size(String name, int small) {
        return Integer.getInteger("tidings.stress." + name, small);
    }

    /** Random numbers whose seed is printed; {@code -Dtidings.seed} repeats them. */
    static Random random(String test) {
        long seed = Long.getLong("tidings.seed", System.nanoTime());
        System.out.println(test + ": -Dtidings.seed=" + seed);
        return new Random(seed);
    }

    /** Opens a socket and subscribes a follower to a session behind what it has; the swarm reads on. */
    static RawSocket follow(Swarm swarm, SignedClient client, URI base, Follower follower, String session) {
        try {
            RawSocket socket = RawSocket.open(base, "", RawSocket.USUAL_BUFFER);
            follower.connecting();
            subscribe(socket, client, follower, session);
            swarm.adopt(socket, follower);
            return socket;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Subscribes to a session behind what the follower has. */
    static void subscribe(RawSocket socket, SignedClient client, Follower follower, String session) throws IOException {
        long after = follower.last(session);
        follower.from(session, after);
        socket.send(client.signed("Subscribe", Map.of("key", "sessions/" + session, "afterSeq", after)));
    }

    /** Does something so many times on some threads, and gives the results in order. */
    static <T> List<T> parallel(int threads, List<Callable<T>> tasks) throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<T> results = new ArrayList<>();
            for (Future<T> each : pool.invokeAll(tasks)) {
                results.add(each.get());
            }
            return results;
        } catch (ExecutionException e) {
            throw new AssertionError("a client failed", e.getCause());
        } finally {
            pool.shutdownNow();
        }
    }

    /** Waits for something that must come. */
    static <T> T await(CompletableFuture<T> coming, String what) throws InterruptedException {
        try {
            return coming.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError(what, e);
        }
    }

    static void awaitAll(List<CompletableFuture<Void>> coming, String what) throws InterruptedException {
        try {
            CompletableFuture.allOf(coming.toArray(CompletableFuture[]::new)).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            long missing = coming.stream().filter(each -> !each.isDone()).count();
            throw new AssertionError(what + ": " + missing + " of " + coming.size() + " missing", e);
        }
    }

    /** Nothing was wrong. */
    static void assertClean(Follower.Common common) {
        assertEquals(List.of(), common.faults.stream().limit(20).toList(), () -> common.faults.size() + " faults");
    }
}
