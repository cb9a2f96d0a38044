package dev.tidings.protocol.agents;

import static dev.tidings.protocol.agents.AgentsWorld.AGENT;
import static dev.tidings.protocol.agents.AgentsWorld.OWNER;
import static dev.tidings.protocol.agents.AgentsWorld.READER;
import static dev.tidings.protocol.agents.AgentsWorld.SESSION_KEY;
import static dev.tidings.protocol.agents.AgentsWorld.STRANGER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.Role;
import dev.tidings.SessionStatus;
import dev.tidings.delivery.Disconnect;
import dev.tidings.envelope.CborValue;
import dev.tidings.envelope.EnvelopeFixtures;
import dev.tidings.envelope.SignerCheck;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A1 to A4: what comes in over one socket, and what is answered. */
class AgentsSocketTest {
    private static final Pattern SEQ = Pattern.compile("\"seq\":(\\d+),");

    private final AgentsWorld world = new AgentsWorld().furnished();

    private static List<Long> seqs(List<String> frames) {
        return frames.stream()
                .filter(frame -> frame.startsWith("{\"_\":\"append\","))
                .map(frame -> {
                    Matcher seq = SEQ.matcher(frame);
                    assertTrue(seq.find(), frame);
                    return Long.parseLong(seq.group(1));
                })
                .toList();
    }

    private static String subscribed(String key, String account) {
        return "{\"_\":\"subscribed\",\"key\":\"" + key + "\",\"accountId\":\"" + account + "\"";
    }

    private static void assertError(String code, List<String> frames) {
        assertEquals(1, frames.size(), frames::toString);
        assertTrue(
                frames.get(0).startsWith("{\"_\":\"error\",") && frames.get(0).contains("\"code\":\"" + code + "\""),
                frames::toString);
    }

    @Test
    void open_first_saysConnected() {
        AgentsWorld.Peer peer = world.new Peer(true);
        assertEquals(List.of("{\"_\":\"connected\",\"connectedAt\":" + world.now + "}"), peer.take());
    }

    @Test
    void subscribe_account_getsNothingMore() {
        String key = "account/" + OWNER.id();
        assertEquals(List.of(subscribed(key, OWNER.id()) + "}"), world.connect().subscribe(OWNER, key));
    }

    @Test
    void subscribe_otherAccount_isRefused() {
        assertError("key_not_authorized", world.connect().subscribe(READER, "account/" + OWNER.id()));
    }

    @Test
    void subscribe_session_isAnsweredThenChangeThenTranscriptThenLive() {
        world.say("a", "b");
        world.delta("x");
        world.say("c");
        AgentsWorld.Peer peer = world.connect();
        List<String> frames = peer.subscribe(READER, SESSION_KEY);
        assertTrue(frames.get(0).startsWith(subscribed(SESSION_KEY, READER.id())), frames::toString);
        assertTrue(frames.get(0).contains("\"headSeq\":3,\"status\":\"replayed\",\"cursor\":0}"), frames::toString);
        assertTrue(frames.get(1).startsWith("{\"_\":\"change\",\"key\":\"sessions/session-1\",\"value\":{\"id\":"));
        assertEquals(List.of(1L, 2L, 3L), seqs(frames.subList(2, 5)));
        assertEquals(5, frames.size());
        world.say("d");
        assertEquals(List.of(4L), seqs(peer.take()));
    }

    @Test
    void subscribe_afterSeq_replaysWhatIsBehind() {
        world.say("a", "b");
        world.delta("x");
        world.say("c", "d");
        assertEquals(List.of(3L, 4L), seqs(world.connect().subscribe(OWNER, SESSION_KEY, 2)));
        assertEquals(List.of(1L, 2L, 3L, 4L), seqs(world.connect().subscribe(OWNER, SESSION_KEY, 0)));
        List<String> atHead = world.connect().subscribe(OWNER, SESSION_KEY, 4);
        assertEquals(List.of(), seqs(atHead));
        assertTrue(atHead.get(0).contains("\"status\":\"live\""), atHead::toString);
    }

    /** A2 #14: a number beyond the head replays nothing, and the next event is delivered. */
    @Test
    void subscribe_afterSeqBeyondTheHead_standsAtTheHead() {
        world.say("a", "b");
        AgentsWorld.Peer peer = world.connect();
        List<String> frames = peer.subscribe(OWNER, SESSION_KEY, 1_000);
        assertTrue(frames.get(0).contains("\"status\":\"ahead\",\"cursor\":2}"), frames::toString);
        assertEquals(List.of(), seqs(frames));
        world.say("c");
        assertEquals(List.of(3L), seqs(peer.take()));
    }

    /** A8: numbers of another history mean nothing. */
    @Test
    void subscribe_otherEpoch_replaysFromTheStart() {
        world.say("a", "b");
        Map<String, CborValue> members = Map.of(
                "key", CborValue.text(SESSION_KEY),
                "afterSeq", CborValue.integer(2),
                "epoch", CborValue.text("another"));
        List<String> frames = world.connect().subscribe(OWNER, members);
        assertTrue(frames.get(0).contains("\"status\":\"reset\",\"cursor\":0}"), frames::toString);
        assertEquals(List.of(1L, 2L), seqs(frames));
    }

    @Test
    void subscribe_cursor_goesOnFromThePosition() {
        world.say("a");
        world.delta("x");
        world.say("b");
        Map<String, CborValue> members = Map.of(
                "key", CborValue.text(SESSION_KEY),
                "cursor", CborValue.integer(2),
                "epoch", CborValue.text(world.tidings.log().epoch()));
        assertEquals(List.of(2L), seqs(world.connect().subscribe(OWNER, members)));
        assertError(
                "invalid_cursor",
                world.connect()
                        .subscribe(OWNER, Map.of("key", CborValue.text(SESSION_KEY), "cursor", CborValue.integer(-1))));
    }

    /** A4: again the same answer, never doubled live frames. */
    @Test
    void subscribe_sameKeyAgain_movesTheCursor() {
        world.say("a", "b", "c");
        AgentsWorld.Peer peer = world.connect();
        peer.subscribe(OWNER, SESSION_KEY);
        assertEquals(List.of(3L), seqs(peer.subscribe(OWNER, SESSION_KEY, 2)));
        world.say("d");
        assertEquals(List.of(4L), seqs(peer.take()));
    }

    @Test
    void subscribe_otherAccountOnABoundSocket_isRefused() {
        AgentsWorld.Peer peer = world.connect();
        peer.subscribe(OWNER, "account/" + OWNER.id());
        assertError("account_switch", peer.subscribe(READER, SESSION_KEY));
        assertEquals(2, peer.subscribe(OWNER, SESSION_KEY).size());
    }

    @Test
    void subscribe_afterARefusal_bindsNobody() {
        AgentsWorld.Peer peer = world.connect();
        assertError("session_not_found", peer.subscribe(STRANGER, SESSION_KEY));
        assertEquals(2, peer.subscribe(READER, SESSION_KEY).size());
    }

    /** A3: pending, removed and strangers get the same answer as for a missing thing. */
    @Test
    void subscribe_withoutAccess_looksLikeMissing() {
        world.invite(AGENT, STRANGER.id(), Role.READER);
        String refused = world.connect().subscribe(STRANGER, SESSION_KEY).get(0);
        String missing = world.connect().subscribe(STRANGER, "sessions/none").get(0);
        assertEquals(missing.replace("sessions/none", SESSION_KEY), refused);
    }

    @Test
    void subscribe_agentOrRun_isChecked() {
        world.run("run-1", "run-1", AGENT, "session-1");
        world.run("run-2", "run-2", null, null);
        AgentsWorld.Peer peer = world.connect();
        assertError("agent_not_found", peer.subscribe(STRANGER, "agents/" + AGENT));
        assertError("run_not_found", peer.subscribe(STRANGER, "runs/run-1"));
        assertError("run_not_found", peer.subscribe(OWNER, "runs/run-2"));
        assertError("run_not_found", peer.subscribe(OWNER, "runs/none"));
        assertEquals(List.of(), world.delivery.channels(dev.tidings.StreamKey.run("run-1")));
        String key = "agents/" + AGENT;
        assertEquals(List.of(subscribed(key, OWNER.id()) + "}"), peer.subscribe(OWNER, key));
    }

    /** A1: answers come in the order of the messages, whatever each of them takes. */
    @Test
    void receive_severalAtOnce_areAnsweredInOrder() {
        world.say("a", "b");
        AgentsWorld.Peer peer = world.connect();
        String account = "account/" + OWNER.id();
        peer.socket.received(AgentsMessage.of(new byte[] {(byte) 0xff}));
        peer.socket.received(AgentsMessage.of(peer.signed(OWNER, SESSION_KEY)));
        peer.socket.received(AgentsMessage.of("hello"));
        peer.socket.received(AgentsMessage.of(peer.signed(OWNER, account)));
        peer.socket.received(AgentsMessage.of(peer.signed(OWNER, "sessions/none")));
        world.hand.runAll();
        List<String> answers = peer.take().stream()
                .filter(frame -> frame.startsWith("{\"_\":\"subscribed\"") || frame.startsWith("{\"_\":\"error\""))
                .map(frame -> frame.replaceAll(".*\"(code|key)\":\"([^\"]*)\".*", "$2"))
                .toList();
        assertEquals(5, answers.size(), answers::toString);
        assertEquals("not_canonical", answers.get(0));
        assertEquals(SESSION_KEY, answers.get(1));
        assertEquals("not_byte_values", answers.get(2));
        assertEquals(account, answers.get(3));
        assertEquals("sessions/none", answers.get(4));
    }

    @Test
    void receive_textArray_isTheSameMessage() {
        AgentsWorld.Peer peer = world.connect();
        List<String> frames = peer.sendText(EnvelopeFixtures.asText(peer.signed(OWNER, SESSION_KEY)));
        assertTrue(frames.get(0).startsWith(subscribed(SESSION_KEY, OWNER.id())), frames::toString);
    }

    @Test
    void receive_otherAction_isRefused() {
        AgentsWorld.Peer peer = world.connect();
        byte[] unsubscribe = EnvelopeFixtures.signed(
                OWNER, EnvelopeFixtures.action("Unsubscribe", world.now, Map.of("key", CborValue.text(SESSION_KEY))));
        assertError("expected_subscribe", peer.send(unsubscribe));
    }

    /** Law 6: on the removal's thread, before anything else is sent. */
    @Test
    void remove_collaborator_silencesItsSockets() {
        AgentsWorld.Peer reader = world.connect();
        AgentsWorld.Peer owner = world.connect();
        reader.subscribe(READER, SESSION_KEY);
        owner.subscribe(OWNER, SESSION_KEY);
        reader.sink.stall();
        world.say("in flight");
        world.say("waits for the one in flight");
        reader.take();
        owner.take();
        world.remove(AGENT, READER.id());
        reader.sink.drain();
        world.say("after");
        world.status(SessionStatus.STREAMING);
        assertEquals(List.of(), reader.take());
        assertEquals(List.of(3L), seqs(owner.take()));
        // Accepted again: on from its cursor, without a new subscription.
        world.accept(AGENT, READER.id(), Role.READER);
        assertEquals(List.of(2L, 3L), seqs(reader.take()));
        world.say("again");
        assertEquals(List.of(4L), seqs(reader.take()));
    }

    /** Law 9: a broken port is told as such, without its words, and the socket goes on. */
    @Test
    void subscribe_portFails_isUnavailableAndSocketUsable() {
        AgentsWorld.Trouble trouble = new AgentsWorld.Trouble();
        AgentsWorld broken =
                new AgentsWorld(AgentsLimits.DEFAULTS, SignerCheck.OWN_ACCOUNT_ONLY, trouble::before).furnished();
        AgentsWorld.Peer peer = broken.connect();
        trouble.on = true;
        assertEquals(
                List.of("{\"_\":\"error\",\"message\":\"Subscriptions are temporarily unavailable\","
                        + "\"code\":\"unavailable\",\"key\":\"sessions/session-1\"}"),
                peer.subscribe(OWNER, SESSION_KEY));
        trouble.on = false;
        assertEquals(2, peer.subscribe(OWNER, SESSION_KEY).size());
    }

    /** Law 6: whoever loses access between the check and the answer gets the refusal, not the state of the session. */
    @Test
    void subscribe_removedWhileTheLogIsRead_isRefused() {
        AgentsWorld.Trouble trouble = new AgentsWorld.Trouble();
        AgentsWorld racing =
                new AgentsWorld(AgentsLimits.DEFAULTS, SignerCheck.OWN_ACCOUNT_ONLY, trouble::before).furnished();
        AgentsWorld.Peer peer = racing.connect();
        AtomicInteger calls = new AtomicInteger();
        // The first call reads the session; the next ones come behind the check of the role.
        trouble.meanwhile = () -> {
            if (calls.incrementAndGet() == 3) {
                racing.remove(AGENT, READER.id());
            }
        };
        assertError("session_not_found", peer.subscribe(READER, SESSION_KEY));
        assertTrue(calls.get() > 3);
        trouble.meanwhile = () -> {};
        racing.say("not for the one who was removed");
        assertEquals(List.of(), peer.take());
    }

    /** Law 6: what is not known is not allowed. */
    @Test
    void verify_signerCheckFails_isRefused() {
        AgentsWorld broken = new AgentsWorld(
                AgentsLimits.DEFAULTS,
                (account, signer) -> {
                    throw new IllegalStateException("secret");
                },
                ports -> ports);
        byte[] delegated = EnvelopeFixtures.signed(
                READER, OWNER.principal(), EnvelopeFixtures.subscribe("account/" + OWNER.id(), broken.now), Map.of());
        AgentsWorld.Peer peer = broken.connect();
        assertError("signer_not_authorized", peer.send(delegated));
        assertEquals(1, peer.subscribe(OWNER, "account/" + OWNER.id()).size());
    }

    @Test
    void subscribe_tooMany_isRefusedButOldKeysMayMove() {
        AgentsLimits two =
                new AgentsLimits(1 << 10, Duration.ofMinutes(5), Duration.ofSeconds(1), 2, 1, 8, 1 << 10, 1 << 10);
        AgentsWorld small = new AgentsWorld(two, SignerCheck.OWN_ACCOUNT_ONLY, ports -> ports).furnished();
        small.session("session-2", AGENT, OWNER.id());
        AgentsWorld.Peer peer = small.connect();
        peer.subscribe(OWNER, SESSION_KEY);
        peer.subscribe(OWNER, "account/" + OWNER.id());
        assertError("too_many_subscriptions", peer.subscribe(OWNER, "sessions/session-2"));
        assertEquals(2, peer.subscribe(OWNER, SESSION_KEY).size());
    }

    @Test
    void receive_oneByteTooMany_closes() {
        AgentsWorld.Peer peer = world.connect();
        int most = AgentsLimits.DEFAULTS.maxMessageBytes();
        assertError("not_canonical", peer.send(new byte[most]));
        peer.send(new byte[most + 1]);
        assertEquals(Disconnect.TOO_BIG, peer.sink.closed());
        assertEquals(List.of(), peer.subscribe(OWNER, SESSION_KEY));
    }

    /** Law 4: messages that wait are bounded in number and bytes. */
    @Test
    void receive_moreThanMayWait_closesAsOverloaded() {
        AgentsWorld.Peer peer = world.connect();
        for (int i = 0; i <= AgentsLimits.DEFAULTS.maxPendingMessages(); i++) {
            peer.socket.received(AgentsMessage.of(peer.signed(OWNER, SESSION_KEY)));
        }
        world.hand.runAll();
        assertEquals(Disconnect.OVERLOADED, peer.sink.closed());

        AgentsWorld.Peer second = world.connect();
        int most = AgentsLimits.DEFAULTS.maxMessageBytes();
        // What is wrong at first sight waits only behind what is not.
        second.socket.received(AgentsMessage.of(second.signed(OWNER, SESSION_KEY)));
        for (int i = 0; i <= AgentsLimits.DEFAULTS.maxPendingBytes() / most; i++) {
            second.socket.received(AgentsMessage.of(new byte[most]));
        }
        world.hand.runAll();
        assertEquals(Disconnect.OVERLOADED, second.sink.closed());
    }

    @Test
    void tick_nothingSubscribedInTime_closes() {
        AgentsWorld.Peer unbound = world.connect();
        AgentsWorld.Peer bound = world.connect();
        bound.subscribe(OWNER, SESSION_KEY);
        assertError("session_not_found", unbound.subscribe(OWNER, "sessions/none"));
        world.hand.pass(AgentsLimits.DEFAULTS.unboundTimeout());
        unbound.socket.tick();
        world.hand.runAll();
        assertNull(unbound.sink.closed(), "the edge is inside");
        world.hand.pass(Duration.ofSeconds(1));
        unbound.socket.tick();
        bound.socket.tick();
        world.hand.runAll();
        assertEquals(Disconnect.UNBOUND, unbound.sink.closed());
        assertNull(bound.sink.closed());
    }

    @Test
    void closed_messagesWait_nothingIsDone() {
        AgentsWorld.Peer peer = world.connect();
        peer.socket.received(AgentsMessage.of(peer.signed(OWNER, SESSION_KEY)));
        peer.socket.closed();
        world.hand.runAll();
        assertEquals(List.of(), peer.take());
        assertTrue(world.delivery
                .watched(AgentsTranslator.INSTANCE, dev.tidings.StreamKey.Kind.SESSION)
                .isEmpty());
        peer.socket.closed();
    }
}
