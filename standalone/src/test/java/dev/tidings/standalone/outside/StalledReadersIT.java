package dev.tidings.standalone.outside;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidings.blackbox.RawSocket;
import dev.tidings.blackbox.SignedClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Laws 1, 5 and 7: many read a stream, some sockets read nothing at all. The readers get all of it, the server's memory
 * stays bounded, and who reads again ends with the same as everybody.
 *
 * <p>What does not read has a small receive buffer, and is sent so much of another session first that the kernel takes no
 * more: during the stream not a byte leaves for it.
 */
@Tag("stress")
class StalledReadersIT {
    private static final int SUBSCRIBERS = Stress.size("subscribers", 40);
    private static final int STALLED = Stress.size("stalled", 5);
    private static final int DELTAS = Stress.size("deltas", 500);
    private static final int DELTA_SIZE = 200;
    /** In seconds; on a busy machine a short one cuts readers, too. */
    private static final int SEND_TIMEOUT = Stress.size("send-timeout", 3);

    /** More than a kernel buffers for a socket: 14 messages of 200,000 letters, in pieces and whole. */
    private static final int FILLERS = 14;

    private static final int FILLER_BYTES = 200_000;
    private static final long OUTBOX_KIB = 1024;
    private static final long SLACK_KIB = 100_000_000 / 1024;
    private static final int WENT = 1006;
    /** The heap is resident from the start, so that garbage is not taken for growth; what lives in it is asked for. */
    private static final String WHOLE_HEAP = "-Xms512m -Xmx512m -XX:+AlwaysPreTouch";

    private final Follower.Common common = new Follower.Common();

    /** Follows sessions, and holds each piece of a stream against what must come. */
    private static final class Reader extends Follower {
        private final boolean mustHaveEveryPiece;
        // Confined: the reader.
        private int letters;
        private int pieces;
        private String partial = "";
        private String ended = "";
        private final Deque<String> lately = new ArrayDeque<>();

        Reader(Common common, boolean mustHaveEveryPiece) {
            super(common);
            this.mustHaveEveryPiece = mustHaveEveryPiece;
        }

        @Override
        void partial(JsonNode frame) {
            String id = frame.get("partialId").asText();
            JsonNode patch = frame.get("patch");
            note(patch.has("textDelta") ? patch.get("textDelta").asText().length() + " letters" : patch.toString());
            if (patch.has("textDelta") && id.equals(ended)) {
                fault("a piece of " + patch.get("textDelta").asText().length() + " letters behind the end");
            }
            ended = patch.path("done").asBoolean() ? id : ended;
            if (!id.equals(partial)) {
                partial = id;
                letters = 0;
                pieces = 0;
            }
            String text = patch.path("textDelta").asText();
            for (int i = 0; i < text.length(); i++) {
                if (mustHaveEveryPiece && text.charAt(i) != letter(letters)) {
                    fault("not letter " + letters + " of the stream comes: " + text.charAt(i) + ", behind " + lately);
                    return;
                }
                letters++;
            }
            pieces += text.isEmpty() ? 0 : 1;
        }

        @Override
        void event(String session, JsonNode event) {
            String text = event.at("/event/content").asText();
            if (mustHaveEveryPiece
                    && event.at("/event/role").asText().equals("assistant")
                    && letters != text.length()) {
                fault("pieces of " + letters + " letters for message " + event.get("seq") + " of " + text.length()
                        + ": " + lately);
            }
            if (text.length() == DELTAS * DELTA_SIZE && !text.equals(whole())) {
                fault("another text than was streamed");
            }
        }

        private void note(String what) {
            if (lately.size() == 12) {
                lately.removeFirst();
            }
            lately.addLast(what);
        }

        private static char letter(int at) {
            return (char) ('a' + at / DELTA_SIZE % 26);
        }

        private static String whole() {
            StringBuilder whole = new StringBuilder();
            for (int i = 0; i < DELTAS * DELTA_SIZE; i++) {
                whole.append(letter(i));
            }
            return whole.toString();
        }
    }

    @Test
    void stalledWithinTheTimeout_endWithEverything_andNobodyElseWaits(@TempDir Path data) throws Exception {
        List<Integer> closings = run(
                data,
                Map.of(
                        "TIDINGS_OUTBOX_SEND_TIMEOUT", "PT10M",
                        "TIDINGS_HEARTBEAT_TIMEOUT", "PT1H",
                        "TIDINGS_JAVA_OPTS", WHOLE_HEAP),
                false);
        assertEquals(List.of(), closings, "nobody was cut");
    }

    @Test
    void stalledBeyondTheTimeout_areCutAndResume_andNobodyElseWaits(@TempDir Path data) throws Exception {
        List<Integer> closings = run(
                data,
                Map.of("TIDINGS_OUTBOX_SEND_TIMEOUT", "PT" + SEND_TIMEOUT + "S", "TIDINGS_JAVA_OPTS", WHOLE_HEAP),
                true);
        assertEquals(STALLED, closings.size(), "all were cut");
        // A close frame does not get through to who does not read: then the connection just went.
        assertTrue(
                closings.stream().allMatch(code -> code == WENT || (code >= 4000 && code < 4400)), closings::toString);
    }

    /** Gives the codes with which stalled sockets were closed. */
    private List<Integer> run(Path data, Map<String, String> environment, boolean cut) throws Exception {
        try (RunningServer server = RunningServer.start(data, environment);
                ServerCounters counters = ServerCounters.of(server);
                Swarm swarm = new Swarm()) {
            SignedClient owner = SignedClient.newAccount(server.base());
            String agent = owner.newAgent();
            String session = owner.newSession(agent);
            String filler = owner.newSession(agent);

            List<Reader> readers = readers(swarm, owner, server, session);
            // Who joins a turn that runs already is shown what follows.
            counters.await("watching", counts -> counts.of("SUBSCRIPTIONS") == readers.size());
            warm(owner, readers, session);
            Optional<RunningServer.Memory> before = server.memory();
            long liveBefore = counters.liveHeapKib();

            List<Follower> sleepers = new ArrayList<>();
            List<RawSocket> asleep = new ArrayList<>();
            for (int i = 0; i < STALLED; i++) {
                Follower sleeper = new Reader(common, false);
                RawSocket socket = RawSocket.open(server.base(), "", RawSocket.SMALL_BUFFER);
                Stress.subscribe(socket, owner, sleeper, filler);
                Stress.subscribe(socket, owner, sleeper, session);
                sleepers.add(sleeper);
                asleep.add(socket);
            }
            counters.await("subscribed", counts -> counts.of("SUBSCRIPTIONS") == readers.size() + 2L * STALLED);
            for (int i = 0; i < FILLERS; i++) {
                owner.message(filler, "/big " + FILLER_BYTES);
            }
            stream(owner, readers, session, 4, DELTAS);
            if (cut) {
                counters.await("the stalled are cut", counts -> counts.of("SOCKETS") <= readers.size());
            }
            report(before, server.memory(), counters.liveHeapKib() - liveBefore, counters.counts(), readers);

            List<Integer> closings = wake(swarm, owner, server, asleep, sleepers, filler, session);
            Stress.assertClean(common);
            return closings;
        }
    }

    private List<Reader> readers(Swarm swarm, SignedClient owner, RunningServer server, String session)
            throws InterruptedException {
        List<Callable<Reader>> tasks = new ArrayList<>();
        for (int i = 0; i < SUBSCRIBERS - STALLED; i++) {
            tasks.add(() -> {
                Reader reader = new Reader(common, true);
                Stress.follow(swarm, owner, server.base(), reader, session);
                return reader;
            });
        }
        return Stress.parallel(8, tasks);
    }

    /** The same stream once with readers only, so that what it takes anyhow is not counted. */
    private static void warm(SignedClient owner, List<Reader> readers, String session) throws InterruptedException {
        stream(owner, readers, session, 2, DELTAS);
    }

    private static void stream(SignedClient owner, List<Reader> readers, String session, long lastSeq, int deltas)
            throws InterruptedException {
        List<CompletableFuture<Void>> all =
                readers.stream().map(reader -> reader.when(session, lastSeq)).toList();
        long began = System.nanoTime();
        var unused = owner.messageAsync(session, "/stream " + deltas + " " + DELTA_SIZE);
        Stress.awaitAll(all, "readers at the end of the stream");
        System.out.println("streamed in " + (System.nanoTime() - began) / 1_000_000 + " ms to " + readers.size());
    }

    private static void report(
            Optional<RunningServer.Memory> before,
            Optional<RunningServer.Memory> after,
            long liveGrown,
            ServerCounters.Counts counts,
            List<Reader> readers) {
        System.out.println("stalled readers: " + counts);
        System.out.println("stalled readers: fewest pieces "
                + readers.stream().mapToInt(reader -> reader.pieces).min().orElse(0) + ", most "
                + readers.stream().mapToInt(reader -> reader.pieces).max().orElse(0));
        if (before.isPresent() && after.isPresent()) {
            long grown = after.get().peak() - before.get().now();
            System.out.println("stalled readers: resident " + before.get() + " before, " + after.get() + " after, KiB");
            assertTrue(grown < STALLED * OUTBOX_KIB + SLACK_KIB, () -> "resident memory grew by " + grown + " KiB");
        }
        System.out.println("stalled readers: live heap grew by " + liveGrown + " KiB");
        assertTrue(liveGrown < STALLED * OUTBOX_KIB + SLACK_KIB, () -> "live heap grew by " + liveGrown + " KiB");
    }

    /** They read again, and those that were cut come back; gives the codes. */
    private static List<Integer> wake(
            Swarm swarm,
            SignedClient owner,
            RunningServer server,
            List<RawSocket> asleep,
            List<Follower> sleepers,
            String filler,
            String session)
            throws InterruptedException, IOException {
        List<Integer> closings = new ArrayList<>();
        for (int i = 0; i < asleep.size(); i++) {
            swarm.adopt(asleep.get(i), sleepers.get(i));
        }
        for (Follower sleeper : sleepers) {
            CompletableFuture<Void> done =
                    CompletableFuture.allOf(sleeper.when(filler, 2L * FILLERS), sleeper.when(session, 4));
            CompletableFuture<Integer> closed = sleeper.whenClosed();
            Stress.await(CompletableFuture.anyOf(done, closed), "a stalled socket neither ends nor goes on");
            if (closed.isDone() && !done.isDone()) {
                closings.add(closed.join());
                RawSocket again = RawSocket.open(server.base(), "", RawSocket.USUAL_BUFFER);
                sleeper.connecting();
                Stress.subscribe(again, owner, sleeper, filler);
                Stress.subscribe(again, owner, sleeper, session);
                swarm.adopt(again, sleeper);
                Stress.await(done, "resumed, and not at the end");
            }
        }
        return closings;
    }
}
