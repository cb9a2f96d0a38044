package dev.tidings.protocol.agents;

import static dev.tidings.protocol.agents.AgentsWorld.AGENT;
import static dev.tidings.protocol.agents.AgentsWorld.OWNER;
import static dev.tidings.protocol.agents.AgentsWorld.READER;
import static dev.tidings.protocol.agents.AgentsWorld.SESSION;
import static dev.tidings.protocol.agents.AgentsWorld.SESSION_KEY;
import static dev.tidings.protocol.agents.AgentsWorld.STRANGER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.AgentInfo;
import dev.tidings.EntryKind;
import dev.tidings.Payload;
import dev.tidings.Role;
import dev.tidings.RunStatus;
import dev.tidings.SessionInfo;
import dev.tidings.SessionStatus;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.envelope.EnvelopeFixtures.Signer;
import dev.tidings.envelope.SignerCheck;
import dev.tidings.event.AccountHint;
import dev.tidings.event.AgentChanged;
import dev.tidings.event.EntriesStored;
import dev.tidings.event.SessionChanged;
import dev.tidings.event.Signal;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A5, A6: which event goes to which key, for sessions/ and account/. */
class AgentsEventsTest {
    private static final Duration INTERVAL = AgentsLimits.DEFAULTS.hintInterval();

    private final AgentsWorld world = new AgentsWorld().furnished();

    private AgentsWorld.Peer account(Signer signer) {
        AgentsWorld.Peer peer = world.connect();
        peer.subscribe(signer, "account/" + signer.id());
        return peer;
    }

    private AgentsWorld.Peer session(Signer signer) {
        AgentsWorld.Peer peer = world.connect();
        peer.subscribe(signer, SESSION_KEY);
        return peer;
    }

    private static List<String> reasons(List<String> frames) {
        return frames.stream()
                .map(frame -> frame.contains("\"reason\"")
                        ? frame.replaceAll(".*\"reason\":\"([^\"]*)\".*", "$1")
                        : frame.replaceAll(".*\"key\":\"([^\"]*)\".*\"status\":\"([^\"]*)\".*", "$1 $2"))
                .toList();
    }

    @Test
    void sessionChanged_subscriber_getsItOnce() {
        AgentsWorld.Peer peer = session(READER);
        world.status(SessionStatus.STREAMING);
        List<String> frames = peer.take();
        assertEquals(1, frames.size(), frames::toString);
        assertTrue(frames.get(0)
                .startsWith("{\"_\":\"change\",\"key\":\"sessions/session-1\",\"value\":{\"id\":\"session-1\""));
        assertTrue(frames.get(0).contains("\"status\":\"streaming\""));
    }

    /** Law 4: an older row never comes after a newer one. */
    @Test
    void sessionChanged_olderVersionLate_isNotShown() {
        AgentsWorld.Peer peer = session(OWNER);
        SessionInfo info = SessionInfo.idle(SESSION, OWNER.id(), AGENT, null, world.now);
        world.fire(new SessionChanged(info.withStatus(SessionStatus.STREAMING, world.now), 9, false));
        world.fire(new SessionChanged(info, 8, false));
        assertEquals(List.of("sessions/session-1 streaming"), reasons(peer.take()));
    }

    /** Law 13: callbacks of two transactions swap; the older must not take the place of the newer that waits. */
    @Test
    void agentChanged_olderComesWhileTheNewerWaits_newerIsShown() {
        AgentsWorld.Peer peer = world.connect();
        peer.subscribe(OWNER, "agents/" + AGENT);
        AgentInfo a = world.tidings.directory().agent(AGENT).orElseThrow().value();
        AgentInfo newer = new AgentInfo(
                a.id(), a.account(), a.definition(), a.stateDir(), a.status(), a.createdAt(), world.now, true);
        world.events.changed(new AgentChanged(newer, 9, false));
        world.events.changed(new AgentChanged(a, 8, false));
        world.hand.runAll();
        List<String> frames = peer.take();
        assertEquals(1, frames.size(), frames::toString);
        assertTrue(frames.get(0).contains("\"publicRead\":true"), frames::toString);
    }

    /** Who lags gets the latest of what is the same; what another account was told is not. */
    @Test
    void hint_twoAccountsAreNamedWhileOneLags_bothAreTold() {
        world.publicRead(true);
        Signer other = Signer.number(4);
        AgentsWorld.Peer lags = world.connect();
        lags.subscribe(STRANGER, "agents/" + AGENT);
        AgentsWorld.Peer quick = world.connect();
        quick.subscribe(other, "agents/" + AGENT);
        lags.sink.stall();
        lags.socket.received(AgentsMessage.of(new byte[] {0}));
        world.hand.runAll();
        world.fire(AccountHint.to(STRANGER.id(), "invited", AGENT));
        world.fire(AccountHint.to(other.id(), "invited", AGENT));
        lags.sink.drain();
        world.hand.runAll();
        assertEquals(List.of("invited"), reasons(quick.take()));
        List<String> frames = lags.take();
        assertEquals("invited", reasons(frames).get(frames.size() - 1), frames::toString);
    }

    @Test
    void partials_subscriber_getsThemInOrder() {
        AgentsWorld.Peer peer = session(READER);
        world.fire(Signal.Partial.text(SESSION, "p", "he"));
        world.fire(Signal.Partial.text(SESSION, "p", "llo"));
        world.fire(Signal.Partial.done(SESSION, "p"));
        assertEquals(
                List.of("{\"textDelta\":\"he\"}}", "{\"textDelta\":\"llo\"}}", "{\"done\":true}}"),
                peer.take().stream()
                        .map(frame -> frame.substring(frame.indexOf("\"patch\":") + 8))
                        .toList());
    }

    /** A5: account/ carries hints and run changes, nothing else. */
    @Test
    void everything_account_getsNoTranscript() {
        AgentsWorld.Peer peer = account(OWNER);
        world.say("a", "b");
        world.delta("c");
        world.fire(Signal.Partial.text(SESSION, "p", "text"));
        world.status(SessionStatus.STREAMING);
        world.run("run-1", "run-1", AGENT, SESSION);
        world.runStatus("run-1", RunStatus.RUNNING);
        world.hand.pass(INTERVAL.multipliedBy(2));
        List<String> frames = peer.take();
        assertFalse(frames.isEmpty());
        for (String frame : frames) {
            assertTrue(
                    frame.startsWith(
                                    "{\"_\":\"change\",\"key\":\"account/" + OWNER.id() + "\",\"value\":{\"reason\":\"")
                            || frame.startsWith("{\"_\":\"change\",\"key\":\"runs/run-1\",\"value\":{"),
                    frame);
            assertFalse(frame.contains("\"content\""), frame);
        }
    }

    @Test
    void turn_account_getsHintsAndRunChangesInOrder() {
        AgentsWorld.Peer peer = account(READER);
        world.say("hello");
        world.run("run-1", "run-1", AGENT, SESSION);
        world.hand.runAll();
        world.status(SessionStatus.STREAMING);
        world.runStatus("run-1", RunStatus.RUNNING);
        world.runStatus("run-1", RunStatus.SUCCEEDED);
        world.status(SessionStatus.IDLE);
        assertEquals(
                List.of(
                        "session-event",
                        "runs/run-1 queued",
                        "session-updated",
                        "runs/run-1 running",
                        "runs/run-1 succeeded",
                        "session-updated"),
                reasons(peer.take()));
    }

    @Test
    void runChanged_members_getItOnceAndOthersNot() {
        AgentsWorld.Peer owner = account(OWNER);
        AgentsWorld.Peer second = account(OWNER);
        AgentsWorld.Peer reader = account(READER);
        AgentsWorld.Peer stranger = account(STRANGER);
        world.run("run-1", "run-1", AGENT, SESSION);
        world.run("run-2", "run-2", null, null);
        world.hand.runAll();
        for (AgentsWorld.Peer member : List.of(owner, second, reader)) {
            assertEquals(List.of("runs/run-1 queued"), reasons(member.take()));
        }
        assertEquals(List.of(), stranger.take());
    }

    @Test
    void runChanged_child_isShownUnderItsRoot() {
        AgentsWorld.Peer owner = account(OWNER);
        world.run("run-1", "run-1", AGENT, SESSION);
        world.run("run-2", "run-1", AGENT, null);
        world.hand.runAll();
        List<String> frames = owner.take();
        assertEquals(2, frames.size(), frames::toString);
        assertTrue(frames.stream().allMatch(frame -> frame.contains("\"key\":\"runs/run-1\"")), frames::toString);
    }

    @Test
    void sessionEvent_manyEntries_oneHintAnIntervalWithFreshState() {
        AgentsWorld.Peer owner = account(OWNER);
        world.say("first");
        List<String> leading = owner.take();
        assertEquals(
                List.of("{\"_\":\"change\",\"key\":\"account/" + OWNER.id()
                        + "\",\"value\":{\"reason\":\"session-event\",\"agentId\":\"agent-1\",\"sessionId\":\"session-1\","
                        + "\"activity\":{\"at\":" + world.now + ",\"kind\":\"user\",\"messageAt\":" + world.now
                        + ",\"messageFrom\":\"user\",\"sessionId\":\"session-1\",\"busy\":false},"
                        + "\"session\":{\"id\":\"session-1\",\"account\":\"" + OWNER.id()
                        + "\",\"agentId\":\"agent-1\",\"status\":\"idle\",\"createdAt\":" + world.now
                        + ",\"updatedAt\":"
                        + world.now + "}}}"),
                leading);
        for (int i = 0; i < 10; i++) {
            world.hand.pass(Duration.ofMillis(100));
            world.say("more");
        }
        assertEquals(List.of(), owner.take());
        world.now += 77;
        world.say("last");
        world.hand.pass(INTERVAL);
        List<String> trailing = owner.take();
        assertEquals(1, trailing.size(), trailing::toString);
        assertTrue(trailing.get(0).contains("\"messageAt\":" + world.now), "reads its state when it fires");
        world.hand.pass(INTERVAL.multipliedBy(3));
        assertEquals(List.of(), owner.take());
    }

    @Test
    void sessionEvent_unnumberedEntry_isNoHint() {
        AgentsWorld.Peer owner = account(OWNER);
        world.delta("x");
        assertEquals(List.of(), owner.take());
    }

    @Test
    void sessionUpdated_sameStatus_isNoHint() {
        world.status(SessionStatus.STREAMING);
        AgentsWorld.Peer owner = account(OWNER);
        world.tidings
                .transactions()
                .run(() -> world.tidings
                        .directoryWriter()
                        .changeSession(SESSION, s -> s.withStatus(SessionStatus.STREAMING, world.now + 1)));
        world.hand.runAll();
        assertEquals(List.of(), owner.take());
        world.status(SessionStatus.IDLE);
        List<String> frames = owner.take();
        assertEquals(List.of("session-updated"), reasons(frames));
        assertTrue(frames.get(0).contains("\"session\":{"), frames::toString);
    }

    /** Two changes close after each other: the first notice reads the state of the second, which is told once. */
    @Test
    void sessionUpdated_noticeReadsTheNewerState_thatStateIsToldOnce() {
        AgentsWorld.Trouble trouble = new AgentsWorld.Trouble();
        AgentsWorld slow =
                new AgentsWorld(AgentsLimits.DEFAULTS, SignerCheck.OWN_ACCOUNT_ONLY, trouble::before).furnished();
        AgentsWorld.Peer account = slow.connect();
        account.subscribe(OWNER, "account/" + OWNER.id());
        AgentsWorld.Peer agent = slow.connect();
        agent.subscribe(OWNER, "agents/" + AGENT);
        trouble.meanwhile = () -> {
            trouble.meanwhile = () -> {};
            slow.commitStatus(SessionStatus.IDLE);
        };
        slow.status(SessionStatus.STREAMING);
        slow.hand.runAll();
        for (AgentsWorld.Peer peer : List.of(account, agent)) {
            List<String> hints = peer.take().stream()
                    .filter(frame -> frame.contains("session-updated"))
                    .toList();
            assertEquals(1, hints.size(), hints::toString);
            assertTrue(hints.get(0).contains("\"status\":\"idle\""), hints::toString);
        }
        slow.status(SessionStatus.STREAMING);
        assertEquals(List.of("session-updated"), reasons(account.take()));
    }

    /** A hint of the same name that a backend or an action fires carries no state, and is news each time. */
    @Test
    void sessionUpdated_firedWithoutAState_isToldBesideTheState() {
        AgentsWorld.Peer owner = account(OWNER);
        for (int i = 0; i < 9; i++) {
            world.fire(AccountHint.toMembers("session-updated", AGENT, SESSION));
        }
        world.status(SessionStatus.STREAMING);
        List<String> frames = owner.take();
        assertEquals(10, frames.size(), frames::toString);
        assertTrue(frames.get(9).contains("\"status\":\"streaming\""), frames::toString);
    }

    @Test
    void sessionCreated_members_getAPlainHint() {
        AgentsWorld.Peer reader = account(READER);
        world.session("session-2", AGENT, OWNER.id());
        world.hand.runAll();
        assertEquals(
                List.of("{\"_\":\"change\",\"key\":\"account/" + READER.id()
                        + "\",\"value\":{\"reason\":\"session-created\",\"agentId\":\"agent-1\","
                        + "\"sessionId\":\"session-2\"}}"),
                reader.take());
    }

    /** A5: invites concern the invitee even while pending, so a named account needs no access. */
    @Test
    void accountHint_named_reachesWhoHasNoAccess() {
        AgentsWorld.Peer invitee = account(STRANGER);
        AgentsWorld.Peer owner = account(OWNER);
        world.invite(AGENT, STRANGER.id(), Role.READER);
        world.fire(AccountHint.to(STRANGER.id(), "agent-invites-changed", AGENT));
        world.fire(AccountHint.to(OWNER.id(), "agent-collaborators-changed", AGENT));
        assertEquals(List.of("agent-invites-changed"), reasons(invitee.take()));
        assertEquals(List.of("agent-collaborators-changed"), reasons(owner.take()));
    }

    @Test
    void accountHint_members_reachesThemOnly() {
        AgentsWorld.Peer reader = account(READER);
        AgentsWorld.Peer stranger = account(STRANGER);
        world.fire(AccountHint.toMembers("agent-memory-changed", AGENT, null));
        assertEquals(List.of("agent-memory-changed"), reasons(reader.take()));
        assertEquals(List.of(), stranger.take());
    }

    /** Law 6: what waits for a socket of a removed collaborator is not sent. */
    @Test
    void remove_collaborator_silencesItsAccount() {
        AgentsWorld.Peer reader = account(READER);
        AgentsWorld.Peer owner = account(OWNER);
        reader.sink.stall();
        world.say("in flight");
        world.run("run-1", "run-1", AGENT, SESSION);
        world.status(SessionStatus.STREAMING);
        assertEquals(List.of("session-event"), reasons(reader.take()));
        world.remove(AGENT, READER.id());
        reader.sink.drain();
        world.runStatus("run-1", RunStatus.RUNNING);
        world.status(SessionStatus.IDLE);
        world.hand.pass(INTERVAL.multipliedBy(2));
        assertEquals(List.of(), reader.take());
        assertTrue(owner.take().size() >= 4);
    }

    /** A lagging socket gets the last hint of each reason, and loses none of another reason. */
    @Test
    void hints_laggingSocket_getsTheLastOfEach() {
        AgentsWorld.Peer owner = account(OWNER);
        owner.sink.stall();
        world.say("in flight");
        owner.take();
        for (int i = 0; i < 3; i++) {
            world.status(SessionStatus.STREAMING);
            world.say("x");
            world.hand.pass(INTERVAL.multipliedBy(2));
            world.status(SessionStatus.IDLE);
        }
        owner.sink.drain();
        world.hand.runAll();
        List<String> frames = owner.take();
        assertEquals(List.of("session-event", "session-updated"), reasons(frames));
        assertTrue(frames.get(1).contains("\"status\":\"idle\""), frames::toString);
    }

    /** Nobody listens: nothing is read, no timer runs. */
    @Test
    void everything_nobodyWatches_costsNothing() {
        AgentsWorld.Trouble trouble = new AgentsWorld.Trouble();
        AgentsWorld quiet = new AgentsWorld(AgentsLimits.DEFAULTS, SignerCheck.OWN_ACCOUNT_ONLY, trouble::before);
        quiet.furnished();
        trouble.on = true;
        StoredEntry entry =
                new StoredEntry(StreamKey.session(SESSION), 1, 1, "e", EntryKind.EVENT, Payload.of("{}"), null, 1);
        quiet.events.stored(new EntriesStored(entry.stream(), List.of(entry)));
        quiet.events.changed(new SessionChanged(SessionInfo.idle(SESSION, OWNER.id(), AGENT, null, 1), 5, false));
        quiet.events.signalled(Signal.Partial.text(SESSION, "p", "x"));
        quiet.events.hinted(AccountHint.toMembers("r", AGENT, null));
        assertEquals(0, quiet.hand.waiting());
        assertEquals(0, quiet.hand.timersRunning());
    }

    /** Law 5: a read that fails is tried again; the notice comes when the database does. */
    @Test
    void sessionUpdated_readFails_isToldLater() {
        AgentsWorld.Trouble trouble = new AgentsWorld.Trouble();
        AgentsWorld broken =
                new AgentsWorld(AgentsLimits.DEFAULTS, SignerCheck.OWN_ACCOUNT_ONLY, trouble::before).furnished();
        AgentsWorld.Peer peer = broken.connect();
        peer.subscribe(OWNER, "account/" + OWNER.id());
        trouble.on = true;
        broken.status(SessionStatus.STREAMING);
        assertEquals(List.of(), peer.take());
        trouble.on = false;
        broken.hand.pass(INTERVAL);
        assertEquals(List.of("session-updated"), reasons(peer.take()));
    }
}
