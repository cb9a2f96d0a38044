package dev.tidings.blackbox;

import static dev.tidings.blackbox.WatchSocket.type;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Law 1: whoever joins gets exactly what is behind its cursor, in order, once. */
abstract class ReplaySuite extends Suite {

    /** Law 1: each gets exactly what is behind its cursor, in order, once, whenever it joins. */
    @Test
    void fortySockets_joinABusySessionAtRandom_eachGetsExactlyWhatIsBehindItsCursor() throws Exception {
        long seed = Long.getLong("tidings.seed", System.nanoTime());
        System.out.println("forty sockets: -Dtidings.seed=" + seed);
        Random random = new Random(seed);
        SignedClient owner = newAccount();
        String session = owner.newSession();
        WatchSocket pace = owner.open();
        pace.subscribe("sessions/" + session);
        int turns = 40;
        long last = 2L * turns;

        ExecutorService pool = Executors.newFixedThreadPool(41);
        try {
            List<Future<List<Long>>> joined = new ArrayList<>();
            List<Long> cursors = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                long moment = random.nextLong(1, last + 1);
                long afterSeq = random.nextLong(0, moment + 1);
                cursors.add(afterSeq);
                joined.add(pool.submit(() -> {
                    pace.awaitSeq(session, moment);
                    WatchSocket socket = owner.open();
                    assertEquals("subscribed", type(socket.subscribe("sessions/" + session, afterSeq)));
                    if (afterSeq < last) {
                        socket.awaitSeq(session, last);
                    }
                    List<Long> seqs = socket.seqs(session);
                    socket.close();
                    return seqs;
                }));
            }
            for (int turn = 0; turn < turns; turn++) {
                owner.message(session, turn % 4 == 0 ? "/stream 20 30 1" : "turn " + turn);
            }
            for (int i = 0; i < 40; i++) {
                List<Long> expected =
                        LongStream.rangeClosed(cursors.get(i) + 1, last).boxed().toList();
                assertEquals(expected, joined.get(i).get(60, TimeUnit.SECONDS), "afterSeq " + cursors.get(i));
            }
        } finally {
            pool.shutdownNow();
        }
    }

    /** Law 1: cut at random points, resumed with the last seq that was seen, until the log is complete. */
    @Test
    void reconnects_cutAtRandom_noGapNoRepeat() {
        SignedClient owner = newAccount();
        String session = owner.newSession();
        int turns = 30;
        CompletableFuture<Void> talk = CompletableFuture.runAsync(() -> {
            for (int turn = 0; turn < turns; turn++) {
                owner.message(session, "/stream 10 10 1");
            }
        });
        List<Long> seen = new ArrayList<>();
        while (seen.size() < 2 * turns) {
            WatchSocket socket = owner.open();
            long cursor = seen.size();
            assertEquals("subscribed", type(socket.subscribe("sessions/" + session, cursor)));
            socket.awaitSeq(session, cursor + 1);
            socket.abort();
            seen.addAll(socket.seqs(session));
        }
        talk.join();
        assertEquals(LongStream.rangeClosed(1, 2L * turns).boxed().toList(), seen);
    }

    @Test
    void afterSeq_beyondTheHead_standsAtTheHead() {
        SignedClient owner = newAccount();
        String session = owner.newSession();
        owner.message(session, "one");
        WatchSocket socket = owner.open();
        JsonNode ahead = socket.subscribe("sessions/" + session, 1_000);
        assertEquals("ahead", ahead.get("status").asText());
        owner.message(session, "two");
        socket.awaitSeq(session, 4);
        assertEquals(List.of(3L, 4L), socket.seqs(session));
    }
}
