package dev.tidings.protocol.agents;

import static dev.tidings.protocol.agents.AgentsWorld.OWNER;
import static dev.tidings.protocol.agents.AgentsWorld.SESSION;
import static dev.tidings.protocol.agents.AgentsWorld.SESSION_KEY;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.event.Signal;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A8: whoever joins a running turn gets the text so far, and from there on what comes: at no point a hole or a repeat. */
class JoinRunningTurnTest {
    private static final Pattern DELTA = Pattern.compile("\"partialId\":\"(p\\d)\".*\"textDelta\":\"([^\"]*)\"");
    private static final String WHOLE = "abcdefghijklmnopqrstuvwxyz";

    /** What a peer shows of a partial: all pieces it got, put behind each other. */
    private static String text(List<String> frames, String partialId) {
        StringBuilder text = new StringBuilder();
        for (String frame : frames) {
            Matcher delta = DELTA.matcher(frame);
            if (delta.find() && delta.group(1).equals(partialId)) {
                text.append(delta.group(2));
            }
        }
        return text.toString();
    }

    @Test
    void subscribe_atEveryPointOfAStream_getsAllOfIt() {
        for (int joins = 0; joins <= WHOLE.length(); joins++) {
            AgentsWorld world = new AgentsWorld().furnished();
            world.say("before", "and before that");
            AgentsWorld.Peer peer = world.connectV2();
            List<String> frames = new ArrayList<>();
            for (int i = 0; i < WHOLE.length(); i++) {
                if (i == joins) {
                    frames.addAll(peer.subscribe(OWNER, SESSION_KEY));
                }
                world.fire(Signal.Partial.text(SESSION, "p1", WHOLE.substring(i, i + 1)));
            }
            if (joins == WHOLE.length()) {
                frames.addAll(peer.subscribe(OWNER, SESSION_KEY));
            }
            world.fire(Signal.Partial.done(SESSION, "p1"));
            frames.addAll(peer.take());
            assertEquals(WHOLE, text(frames, "p1"), "joined at " + joins);
            int soFar = indexOf(frames, "\"offset\":0");
            assertEquals(joins > 0, soFar >= 0);
            if (soFar >= 0) {
                assertTrue(indexOf(frames, "\"seq\":2") < soFar, "behind the replay, which would wipe it out");
            }
        }
    }

    private static int indexOf(List<String> frames, String part) {
        for (int i = 0; i < frames.size(); i++) {
            if (frames.get(i).contains(part)) {
                return i;
            }
        }
        return -1;
    }

    /** A plain socket gets what it always got: the pieces from now on. */
    @Test
    void subscribe_plain_getsNoTextSoFar() {
        AgentsWorld world = new AgentsWorld().furnished();
        world.fire(Signal.Partial.text(SESSION, "p1", "abc"));
        AgentsWorld.Peer peer = world.connect();
        assertEquals(2, peer.subscribe(OWNER, SESSION_KEY).size());
        world.fire(Signal.Partial.text(SESSION, "p1", "def"));
        assertEquals("def", text(peer.take(), "p1"));
    }

    @Test
    void subscribe_partialEnded_getsNoTextSoFar() {
        AgentsWorld world = new AgentsWorld().furnished();
        world.fire(Signal.Partial.text(SESSION, "p1", "abc"));
        world.fire(Signal.Partial.done(SESSION, "p1"));
        assertEquals(2, world.connectV2().subscribe(OWNER, SESSION_KEY).size());
    }

    @Test
    void subscribe_again_getsTheTextSoFarAgain() {
        AgentsWorld world = new AgentsWorld().furnished();
        AgentsWorld.Peer peer = world.connectV2();
        peer.subscribe(OWNER, SESSION_KEY);
        world.fire(Signal.Partial.text(SESSION, "p1", "abc"));
        assertEquals("abc", text(peer.take(), "p1"));
        assertEquals("abc", text(peer.subscribe(OWNER, SESSION_KEY), "p1"));
        world.fire(Signal.Partial.text(SESSION, "p1", "def"));
        assertEquals("def", text(peer.take(), "p1"));
    }

    /** Law 6: the text so far passes the gate like anything else. */
    @Test
    void subscribe_removedBeforeItIsSent_getsNothingOfIt() {
        AgentsWorld world = new AgentsWorld().furnished();
        world.fire(Signal.Partial.text(SESSION, "p1", "secret"));
        AgentsWorld.Peer peer = world.connectV2();
        peer.sink.stall();
        peer.subscribe(AgentsWorld.READER, "account/" + AgentsWorld.READER.id());
        peer.subscribe(AgentsWorld.READER, SESSION_KEY);
        world.remove(AgentsWorld.AGENT, AgentsWorld.READER.id());
        peer.sink.drain();
        world.hand.runAll();
        assertTrue(peer.take().stream().noneMatch(frame -> frame.contains("secret")));
    }

    /** Tasks run in any order, and pieces come while a subscription is being made: a prefix at least, never a hole. */
    @Test
    void subscribe_whileItStreamsInAnyOrder_isNeverAHoleOrARepeat() {
        long seed = Long.getLong("tidings.seed", 20_261_201L);
        System.out.println("JoinRunningTurnTest seed " + seed + " (-Dtidings.seed)");
        Random random = new Random(seed);
        int joined = 0;
        for (int round = 0; round < 150; round++) {
            AgentsWorld.Trouble trouble = new AgentsWorld.Trouble();
            AgentsWorld world = new AgentsWorld(
                            AgentsLimits.DEFAULTS, dev.tidings.envelope.SignerCheck.OWN_ACCOUNT_ONLY, trouble::before)
                    .furnished();
            int[] next = {0};
            Runnable piece = () -> {
                if (next[0] < WHOLE.length()) {
                    int from = next[0]++;
                    world.tidings.fire(Signal.Partial.text(SESSION, "p1", WHOLE.substring(from, from + 1)));
                }
            };
            trouble.meanwhile = () -> {
                for (int i = random.nextInt(3); i > 0; i--) {
                    piece.run();
                }
            };
            world.hand.shuffle(random);
            for (int i = random.nextInt(10); i > 0; i--) {
                piece.run();
            }
            AgentsWorld.Peer peer = world.connectV2();
            peer.socket.received(AgentsMessage.of(peer.signed(OWNER, SESSION_KEY)));
            while (next[0] < WHOLE.length()) {
                if (random.nextBoolean()) {
                    piece.run();
                } else {
                    world.hand.runOne();
                }
            }
            world.hand.runAll();
            List<String> frames = peer.take();
            String got = text(frames, "p1");
            assertEquals(WHOLE, got, "round " + round + " " + frames);
            joined += indexOf(frames, "\"offset\":0") >= 0 ? 1 : 0;
        }
        assertTrue(joined > 20, "only " + joined + " rounds joined in the middle");
    }
}
