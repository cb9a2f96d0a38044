package dev.tidings.protocol.agents;

import static dev.tidings.protocol.agents.AgentsWorld.OWNER;
import static dev.tidings.protocol.agents.AgentsWorld.SESSION;
import static dev.tidings.protocol.agents.AgentsWorld.SESSION_KEY;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.SessionStatus;
import dev.tidings.StreamKey;
import dev.tidings.envelope.EnvelopeFixtures;
import dev.tidings.envelope.SignerCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Law 1, A4: sockets join a busy session at any moment with any number, some again and again; tasks run in any order, and
 * while a subscription reads the log, the session goes on. Each gets what is behind its number, in order, once.
 */
class SubscribeRacesTest {
    private static final int SCHEDULES = 300;
    private static final int STEPS = 120;
    private static final Pattern NUMBERS = Pattern.compile("\"seq\":(\\d+),|\"headSeq\":(\\d+),\"status\":\"(\\w+)\"");

    @Test
    void subscribe_anyMoment_getsWhatIsBehindItsNumber() {
        Long one = Long.getLong("tidings.seed");
        long first = one == null ? 7_000 : one;
        System.out.println("SubscribeRacesTest seeds from " + first + " (-Dtidings.seed)");
        for (long seed = first; seed < first + (one == null ? SCHEDULES : 1); seed++) {
            new Schedule(seed).play();
        }
    }

    /** One socket and the numbers that it asked with, in order. */
    private record Joined(AgentsWorld.Peer peer, List<Long> asked) {}

    private static final class Schedule {
        private final long seed;
        private final Random random;
        private final AgentsWorld.Trouble trouble = new AgentsWorld.Trouble();
        private final AgentsWorld world =
                new AgentsWorld(AgentsLimits.DEFAULTS, SignerCheck.OWN_ACCOUNT_ONLY, trouble::before).furnished();
        private final List<Joined> joined = new ArrayList<>();
        private boolean nested;

        Schedule(long seed) {
            this.seed = seed;
            this.random = new Random(seed);
            world.hand.shuffle(random);
        }

        void play() {
            trouble.meanwhile = this::meanwhile;
            for (int step = 0; step < STEPS; step++) {
                switch (random.nextInt(8)) {
                    case 0 -> commit();
                    case 1 -> join();
                    case 2 -> joinAgain();
                    default -> world.hand.runOne();
                }
            }
            trouble.meanwhile = () -> {};
            world.hand.runAll();
            world.delivery.compareHeads();
            world.hand.runAll();
            joined.forEach(this::check);
        }

        /** What other threads do while a port is asked. */
        private void meanwhile() {
            if (!nested && random.nextInt(3) == 0) {
                nested = true;
                commit();
                world.hand.runOne();
                world.hand.runOne();
                nested = false;
            }
        }

        private void commit() {
            String[] texts = new String[1 + random.nextInt(3)];
            for (int i = 0; i < texts.length; i++) {
                texts[i] = "x";
            }
            world.commit(texts);
            if (random.nextInt(4) == 0) {
                world.tidings
                        .transactions()
                        .run(() -> world.tidings
                                .directoryWriter()
                                .changeSession(SESSION, s -> s.withStatus(SessionStatus.STREAMING, ++world.now)));
            }
        }

        private void join() {
            Joined fresh = new Joined(world.new Peer(true), new ArrayList<>());
            joined.add(fresh);
            ask(fresh);
        }

        private void joinAgain() {
            if (!joined.isEmpty()) {
                ask(joined.get(random.nextInt(joined.size())));
            }
        }

        private void ask(Joined who) {
            long afterSeq = random.nextInt(12);
            who.asked().add(afterSeq);
            who.peer()
                    .socket
                    .received(AgentsMessage.of(EnvelopeFixtures.signed(
                            OWNER, EnvelopeFixtures.subscribe(SESSION_KEY, world.now, afterSeq))));
        }

        private void check(Joined who) {
            List<String> frames = who.peer().take();
            String what = "seed " + seed;
            int answers = 0;
            long next = -1;
            long updatedAt = -1;
            for (String frame : frames) {
                Matcher number = NUMBERS.matcher(frame);
                if (frame.startsWith("{\"_\":\"subscribed\"")) {
                    assertTrue(number.find(), frame);
                    long asked = who.asked().get(answers++);
                    long headSeq = Long.parseLong(number.group(2));
                    next = Math.min(asked, headSeq) + 1;
                    updatedAt = -1;
                    assertEquals(asked == headSeq ? "live" : asked < headSeq ? "replayed" : "ahead", number.group(3));
                } else if (frame.startsWith("{\"_\":\"append\"")) {
                    assertTrue(number.find(), frame);
                    assertTrue(updatedAt >= 0, () -> what + ": change comes first");
                    assertEquals(next++, Long.parseLong(number.group(1)), what);
                } else if (frame.startsWith("{\"_\":\"change\"")) {
                    long updated = Long.parseLong(frame.replaceAll(".*\"updatedAt\":(\\d+).*", "$1"));
                    long before = updatedAt;
                    assertTrue(updated > before, () -> what + ": a row is shown once, newer ones only");
                    updatedAt = updated;
                }
            }
            assertEquals(who.asked().size(), answers, what);
            long head = world.tidings.log().head(StreamKey.session(SESSION)).seq();
            assertEquals(head + 1, Math.max(next, head + 1), what);
            assertTrue(next == head + 1, what + ": ends at " + next + ", not at " + (head + 1));
            long now = world.tidings
                    .directory()
                    .session(SESSION)
                    .orElseThrow()
                    .value()
                    .updatedAt();
            assertEquals(now, updatedAt, what + ": the last row is shown");
        }
    }
}
