package dev.tidings.protocol.agents;

import static dev.tidings.protocol.agents.AgentsWorld.AGENT;
import static dev.tidings.protocol.agents.AgentsWorld.OWNER;
import static dev.tidings.protocol.agents.AgentsWorld.READER;
import static dev.tidings.protocol.agents.AgentsWorld.SESSION;
import static dev.tidings.protocol.agents.AgentsWorld.SESSION_KEY;
import static dev.tidings.protocol.agents.AgentsWorld.STRANGER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.Role;
import dev.tidings.SessionStatus;
import dev.tidings.envelope.SignerCheck;
import dev.tidings.event.AgentDeleted;
import dev.tidings.event.GrantChanged;
import dev.tidings.event.SessionDeleted;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A8: what a socket gets that agreed on {@code tidings.v2}, and what one that did not must not get. */
class SecondVersionTest {
    private static final String AGENT_KEY = "agents/" + AGENT;
    private static final String REVOKED = "{\"_\":\"revoked\",\"key\":\"" + SESSION_KEY + "\"}";

    private final AgentsWorld world = new AgentsWorld().furnished();

    private static List<String> kinds(List<String> frames) {
        return frames.stream()
                .map(frame -> frame.replaceAll("\\{\"_\":\"([^\"]*)\".*", "$1"))
                .toList();
    }

    private static String error(List<String> frames) {
        assertEquals(1, frames.size(), frames::toString);
        return frames.get(0).replaceAll(".*\"code\":\"([^\"]*)\".*", "$1");
    }

    @Test
    void unsubscribe_held_isAnsweredAndNothingMoreComes() {
        AgentsWorld.Peer peer = world.connectV2();
        peer.subscribe(OWNER, SESSION_KEY);
        assertEquals(
                List.of("{\"_\":\"unsubscribed\",\"key\":\"" + SESSION_KEY + "\"}"),
                peer.unsubscribe(OWNER, SESSION_KEY));
        world.say("a");
        world.status(SessionStatus.STREAMING);
        assertEquals(List.of(), peer.take());
        assertEquals(0, world.face.shared().holders().agents());
        assertEquals(List.of("subscribed", "change", "append"), kinds(peer.subscribe(OWNER, SESSION_KEY)));
    }

    @Test
    void unsubscribe_notHeldOrWrong_isAnswered() {
        AgentsWorld.Peer peer = world.connectV2();
        assertEquals(List.of("unsubscribed"), kinds(peer.unsubscribe(OWNER, SESSION_KEY)));
        assertEquals("key_not_authorized", error(peer.unsubscribe(OWNER, "nonsense")));
        peer.subscribe(OWNER, SESSION_KEY);
        assertEquals("account_switch", error(peer.unsubscribe(READER, SESSION_KEY)));
        world.say("a");
        assertEquals(List.of("append"), kinds(peer.take()));
    }

    @Test
    void unsubscribe_plainSocket_isRefused() {
        AgentsWorld.Peer peer = world.connect();
        peer.subscribe(OWNER, SESSION_KEY);
        assertEquals("expected_subscribe", error(peer.unsubscribe(OWNER, SESSION_KEY)));
        world.say("a");
        assertEquals(List.of("append"), kinds(peer.take()));
    }

    /** One of two keys of an agent less: the other still hears of the agent's end. */
    @Test
    void unsubscribe_oneOfTwoKeys_theOtherIsStillHeld() {
        AgentsWorld.Peer peer = world.connectV2();
        peer.subscribe(OWNER, SESSION_KEY);
        peer.subscribe(OWNER, AGENT_KEY);
        peer.unsubscribe(OWNER, SESSION_KEY);
        assertEquals(1, world.face.shared().holders().agents());
        world.fire(new AgentDeleted(AGENT, Set.of(), Set.of()));
        assertEquals(List.of("{\"_\":\"revoked\",\"key\":\"" + AGENT_KEY + "\"}"), peer.take());
        assertEquals(0, world.face.shared().holders().agents());
    }

    @Test
    void beat_v2_getsTheHeadsOfWhatItMayRead() {
        world.run("run-1", "run-1", AGENT, SESSION);
        world.run("run-2", "run-1", AGENT, null);
        world.hand.runAll();
        AgentsWorld.Peer peer = world.connectV2();
        AgentsWorld.Peer plain = world.connect();
        world.face.beat();
        world.hand.runAll();
        assertEquals(List.of("{\"_\":\"heartbeat\",\"heads\":{}}"), peer.take());
        peer.subscribe(READER, "account/" + READER.id());
        peer.subscribe(READER, SESSION_KEY);
        peer.subscribe(READER, AGENT_KEY);
        peer.subscribe(READER, "runs/run-2");
        plain.subscribe(READER, SESSION_KEY);
        world.say("a", "b");
        world.delta("x");
        world.journal("run-1", "run-1", "j1", "j2", "j3");
        peer.take();
        plain.take();
        world.face.beat();
        world.hand.runAll();
        assertEquals(
                List.of("{\"_\":\"heartbeat\",\"heads\":{\"sessions/session-1\":2,\"runs/run-2\":3}}"), peer.take());
        assertEquals(List.of(), plain.take(), "a plain socket gets no frame that it does not know");
        // Law 6: a number is something of the agent's, too.
        world.remove(AGENT, READER.id());
        world.hand.runAll();
        peer.take();
        world.face.beat();
        world.hand.runAll();
        assertEquals(List.of("{\"_\":\"heartbeat\",\"heads\":{}}"), peer.take());
    }

    /** Law 6: the heartbeat was made while the heads might be told, and leaves when they may not. */
    @Test
    void beat_accessEndsBeforeItLeaves_tellsNoHead() {
        AgentsWorld.Peer peer = world.connectV2();
        peer.subscribe(READER, SESSION_KEY);
        world.say("a");
        peer.take();
        world.face.beat();
        world.remove(AGENT, READER.id());
        world.hand.runAll();
        List<String> got = peer.take();
        assertEquals("{\"_\":\"heartbeat\",\"heads\":{}}", got.get(0));
    }

    @Test
    void beat_logFails_stillBeats() {
        AgentsWorld.Trouble trouble = new AgentsWorld.Trouble();
        AgentsWorld broken =
                new AgentsWorld(AgentsLimits.DEFAULTS, SignerCheck.OWN_ACCOUNT_ONLY, trouble::before).furnished();
        AgentsWorld.Peer peer = broken.connectV2();
        peer.subscribe(OWNER, SESSION_KEY);
        trouble.on = true;
        broken.face.beat();
        broken.hand.runAll();
        assertEquals(List.of("{\"_\":\"heartbeat\",\"heads\":{}}"), peer.take());
    }

    /** The subscription is suspended, not gone: accepted again, it goes on from its cursor. */
    @Test
    void remove_v2_isToldOnceAndGoesOnWhenAcceptedAgain() {
        AgentsWorld.Peer peer = world.connectV2();
        AgentsWorld.Peer plain = world.connect();
        peer.subscribe(READER, SESSION_KEY);
        plain.subscribe(READER, SESSION_KEY);
        world.say("a");
        peer.take();
        plain.take();
        world.remove(AGENT, READER.id());
        world.hand.runAll();
        assertEquals(List.of(REVOKED), peer.take());
        world.say("b");
        world.access.recheck();
        world.face.accessSettled();
        world.hand.runAll();
        assertEquals(List.of(), peer.take(), "once is enough");
        assertEquals(List.of(), plain.take());
        world.accept(AGENT, READER.id(), Role.READER);
        List<String> on = peer.take();
        assertEquals(List.of("append"), kinds(on));
        assertTrue(on.get(0).contains("\"seq\":2"), on::toString);
        world.say("c");
        assertEquals(List.of("append"), kinds(peer.take()));
        world.remove(AGENT, READER.id());
        world.hand.runAll();
        assertEquals(List.of(REVOKED), peer.take(), "each end of access is told");
    }

    /** Whoever signs for the account lost that: its sockets are told, for all keys, and others are not. */
    @Test
    void signer_revoked_isToldToItsSockets() {
        world.tidings
                .transactions()
                .run(() -> world.tidings
                        .signerWriter()
                        .authorize(OWNER.id(), STRANGER.id(), dev.tidings.SignerRole.AGENT, world.now));
        AgentsWorld.Peer delegate = world.connectV2();
        AgentsWorld.Peer own = world.connectV2();
        delegate.subscribeFor(OWNER, STRANGER, SESSION_KEY);
        delegate.subscribeFor(OWNER, STRANGER, "account/" + OWNER.id());
        own.subscribe(OWNER, SESSION_KEY);
        world.tidings
                .transactions()
                .run(() -> world.tidings.signerWriter().revoke(OWNER.id(), STRANGER.id(), world.now));
        world.hand.runAll();
        assertEquals(List.of(REVOKED, "{\"_\":\"revoked\",\"key\":\"account/" + OWNER.id() + "\"}"), delegate.take());
        assertEquals(List.of(), own.take());
    }

    /** A gate that was closed in vain, and one of which nobody knows, is no end of access. */
    @Test
    void gate_closedInVainOrUnknown_isNotTold() {
        AgentsWorld.Peer peer = world.connectV2();
        peer.subscribe(OWNER, SESSION_KEY);
        world.fire(new GrantChanged(AGENT, null, null));
        assertEquals(List.of(), peer.take());
        world.access.changed(new GrantChanged(AGENT, OWNER.id(), null));
        world.face.accessSettled();
        world.hand.runAll();
        assertEquals(List.of(), peer.take(), "closed, and the grants say otherwise");
        world.access.recheck();
        world.say("a");
        assertEquals(List.of("append"), kinds(peer.take()));
    }

    @Test
    void publicRead_switchedOff_publicReadersAreTold() {
        world.publicRead(true);
        AgentsWorld.Peer stranger = world.connectV2();
        AgentsWorld.Peer reader = world.connectV2();
        stranger.subscribe(STRANGER, SESSION_KEY);
        stranger.subscribe(STRANGER, AGENT_KEY);
        reader.subscribe(READER, SESSION_KEY);
        world.publicRead(false);
        assertEquals(List.of(REVOKED, "{\"_\":\"revoked\",\"key\":\"" + AGENT_KEY + "\"}"), stranger.take());
        assertEquals(List.of(), reader.take());
    }

    @Test
    void session_deleted_endsWhatShowsIt() {
        world.run("run-1", "run-1", AGENT, SESSION);
        world.session("session-2", AGENT, OWNER.id());
        world.hand.runAll();
        AgentsWorld.Peer peer = world.connectV2();
        AgentsWorld.Peer plain = world.connect();
        for (AgentsWorld.Peer each : List.of(peer, plain)) {
            each.subscribe(OWNER, SESSION_KEY);
            each.subscribe(OWNER, "runs/run-1");
            each.subscribe(OWNER, "sessions/session-2");
            each.subscribe(OWNER, "account/" + OWNER.id());
        }
        world.fire(dev.tidings.event.Signal.Partial.text(SESSION, "p", "text"));
        peer.take();
        plain.take();
        world.fire(new SessionDeleted(SESSION, AGENT, Set.of(OWNER.id())));
        assertEquals(List.of(REVOKED, "{\"_\":\"revoked\",\"key\":\"runs/run-1\"}"), peer.take());
        assertEquals(List.of(), plain.take());
        world.say("late");
        world.status(SessionStatus.STREAMING);
        world.hand.pass(AgentsLimits.DEFAULTS.hintInterval().multipliedBy(2));
        for (AgentsWorld.Peer each : List.of(peer, plain)) {
            assertTrue(each.take().stream().noneMatch(frame -> frame.contains("\"key\":\"" + SESSION_KEY + "\"")));
        }
        assertEquals(List.of(), world.events.texts().of(SESSION));
    }

    @Test
    void agent_deleted_endsAllOfIt() {
        AgentsWorld.Peer peer = world.connectV2();
        peer.subscribe(READER, SESSION_KEY);
        peer.subscribe(READER, AGENT_KEY);
        world.fire(new AgentDeleted(AGENT, Set.of(OWNER.id(), READER.id()), Set.of()));
        assertEquals(List.of("revoked", "revoked"), kinds(peer.take()));
        world.say("late");
        assertEquals(List.of(), peer.take());
    }

    /** Deleted between the checks and the answer: the refusal, and nothing else. */
    @Test
    void session_deletedWhileItIsSubscribed_isRefused() {
        AgentsWorld.Trouble trouble = new AgentsWorld.Trouble();
        AgentsWorld racing =
                new AgentsWorld(AgentsLimits.DEFAULTS, SignerCheck.OWN_ACCOUNT_ONLY, trouble::before).furnished();
        AgentsWorld.Peer peer = racing.connectV2();
        int[] calls = {0};
        trouble.meanwhile = () -> {
            if (++calls[0] == 3) {
                racing.face.deleted(new SessionDeleted(SESSION, AGENT, Set.of()));
            }
        };
        assertEquals("session_not_found", error(peer.subscribe(OWNER, SESSION_KEY)));
        assertTrue(calls[0] > 3);
        trouble.meanwhile = () -> {};
        assertEquals(0, racing.face.shared().holders().agents());
    }

    @Test
    void closed_socket_isForgotten() {
        AgentsWorld.Peer peer = world.connectV2();
        peer.subscribe(OWNER, SESSION_KEY);
        assertEquals(1, world.face.shared().holders().agents());
        world.face.closed(peer.socket);
        assertEquals(0, world.face.shared().holders().agents());
        world.face.beat();
        world.fire(new SessionDeleted(SESSION, AGENT, Set.of()));
        assertEquals(List.of(), peer.take());
    }

    /** Whatever is thrown while a message is handled: the messages behind it are handled. */
    @Test
    void receive_error_doesNotStopTheSocket() {
        AgentsWorld broken = new AgentsWorld(
                AgentsLimits.DEFAULTS,
                (account, signer) -> {
                    throw new StackOverflowError("in a port");
                },
                ports -> ports);
        broken.furnished();
        AgentsWorld.Peer peer = broken.connect();
        byte[] delegated = dev.tidings.envelope.EnvelopeFixtures.signed(
                READER,
                OWNER.principal(),
                dev.tidings.envelope.EnvelopeFixtures.subscribe("account/" + OWNER.id(), broken.now),
                java.util.Map.of());
        peer.socket.received(AgentsMessage.of(delegated));
        peer.socket.received(AgentsMessage.of(peer.signed(OWNER, SESSION_KEY)));
        runThroughErrors(broken);
        List<String> frames = peer.take();
        assertEquals(List.of("error", "subscribed", "change"), kinds(frames));
    }

    @Test
    void subscribe_portThrowsAnError_isUnavailableAndTheSocketGoesOn() {
        boolean[] broken = {false};
        AgentsWorld.Trouble trouble = new AgentsWorld.Trouble();
        trouble.meanwhile = () -> {
            if (broken[0]) {
                throw new StackOverflowError("in a port");
            }
        };
        AgentsWorld odd =
                new AgentsWorld(AgentsLimits.DEFAULTS, SignerCheck.OWN_ACCOUNT_ONLY, trouble::before).furnished();
        AgentsWorld.Peer peer = odd.connect();
        broken[0] = true;
        peer.socket.received(AgentsMessage.of(peer.signed(OWNER, SESSION_KEY)));
        runThroughErrors(odd);
        assertEquals("unavailable", error(peer.take()));
        broken[0] = false;
        assertEquals(List.of("subscribed", "change"), kinds(peer.subscribe(OWNER, SESSION_KEY)));
    }

    /** As a pool does: the error ends the task, not the pool. */
    private static void runThroughErrors(AgentsWorld of) {
        boolean more = true;
        while (more) {
            try {
                more = of.hand.runOne();
            } catch (StackOverflowError thrown) {
                assertEquals("in a port", thrown.getMessage());
            }
        }
    }
}
