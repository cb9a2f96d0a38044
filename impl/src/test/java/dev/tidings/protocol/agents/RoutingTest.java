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
import dev.tidings.RunStatus;
import dev.tidings.RunUsage;
import dev.tidings.SessionStatus;
import dev.tidings.envelope.EnvelopeFixtures.Signer;
import dev.tidings.event.AccountHint;
import dev.tidings.event.Signal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** A5, row by row: which event goes where, and how many copies each socket gets of it, whatever it holds. */
class RoutingTest {
    private static final Signer GUEST = Signer.number(4);
    private static final String RUN = "run-1";
    private static final String CHILD = "run-2";
    private static final String RUN_KEY = "runs/" + RUN;
    private static final String AGENT_KEY = "agents/" + AGENT;

    private final AgentsWorld world = new AgentsWorld().furnished();
    private final Map<String, AgentsWorld.Peer> peers = new LinkedHashMap<>();

    /** Sockets of the owner's, one for each key alone and one that holds them all; and some of others. */
    private void open() {
        world.accept(AGENT, GUEST.id(), Role.WRITER);
        world.publicRead(true);
        world.run(RUN, RUN, AGENT, SESSION);
        world.run(CHILD, RUN, AGENT, null);
        world.hand.runAll();
        String account = "account/" + OWNER.id();
        peer("account", OWNER, account);
        peer("agent", OWNER, AGENT_KEY);
        peer("session", OWNER, SESSION_KEY);
        peer("run", OWNER, RUN_KEY);
        peer("child", OWNER, "runs/" + CHILD);
        peer("all", OWNER, account, AGENT_KEY, SESSION_KEY, RUN_KEY);
        peer("backwards", OWNER, RUN_KEY, SESSION_KEY, AGENT_KEY, account);
        peer("guest account", GUEST, "account/" + GUEST.id());
        peer("guest agent", GUEST, AGENT_KEY);
        peer("public account", STRANGER, "account/" + STRANGER.id());
        peer("public agent", STRANGER, AGENT_KEY);
        peer("public all", STRANGER, "account/" + STRANGER.id(), AGENT_KEY, SESSION_KEY, RUN_KEY);
        world.hand.pass(AgentsLimits.DEFAULTS.hintInterval().multipliedBy(2));
        peers.values().forEach(AgentsWorld.Peer::take);
    }

    private void peer(String name, Signer signer, String... keys) {
        AgentsWorld.Peer peer = world.connect();
        for (String key : keys) {
            List<String> answer = peer.subscribe(signer, key);
            assertTrue(answer.get(0).startsWith("{\"_\":\"subscribed\""), answer::toString);
        }
        peers.put(name, peer);
    }

    /** How many frames of a kind everybody got; who got none is left out. */
    private Map<String, Integer> copies(Predicate<String> kind) {
        Map<String, Integer> copies = new LinkedHashMap<>();
        taken.forEach((name, frames) -> {
            int count = (int) frames.stream().filter(kind).count();
            if (count > 0) {
                copies.put(name, count);
            }
        });
        return copies;
    }

    private final Map<String, List<String>> taken = new LinkedHashMap<>();

    private void take() {
        taken.clear();
        peers.forEach((name, peer) -> taken.put(name, new ArrayList<>(peer.take())));
    }

    private List<String> of(String name) {
        return taken.getOrDefault(name, List.of());
    }

    private static Map<String, Integer> once(String... names) {
        Map<String, Integer> once = new LinkedHashMap<>();
        for (String name : names) {
            once.put(name, 1);
        }
        return once;
    }

    private static Predicate<String> frame(String kind, String key) {
        return text -> text.startsWith("{\"_\":\"" + kind + "\",\"key\":\"" + key + "\"");
    }

    private static Predicate<String> hint(String reason) {
        return text -> text.contains("\"reason\":\"" + reason + "\"");
    }

    @Test
    void sessionEvent_stored_isAppendedToSubscribersOfTheSession() {
        open();
        world.say("hello");
        take();
        assertEquals(once("session", "all", "backwards", "public all"), copies(frame("append", SESSION_KEY)));
    }

    @Test
    void partial_text_goesToSubscribersOfTheSession() {
        open();
        world.fire(Signal.Partial.text(SESSION, "p", "x"));
        take();
        assertEquals(once("session", "all", "backwards", "public all"), copies(text -> true));
    }

    @Test
    void partial_textWithUsage_isBoth() {
        open();
        world.fire(new Signal.Partial(SESSION, "p", "x", true, RunUsage.ZERO, null));
        take();
        assertEquals(2, of("session").size());
        assertTrue(of("session").get(0).endsWith("{\"textDelta\":\"x\"}}"));
        assertTrue(of("session").get(1).contains("{\"done\":true,\"usage\":{"));
    }

    @Test
    void session_changed_isShownOnceToSubscribersOfTheSessionAndTheAgent() {
        open();
        world.status(SessionStatus.STREAMING);
        take();
        assertEquals(
                once("agent", "session", "all", "backwards", "guest agent", "public agent", "public all"),
                copies(frame("change", SESSION_KEY)));
    }

    @Test
    void agent_changed_isShownInEachOnesRole() {
        open();
        world.changeAgent(a -> new dev.tidings.AgentInfo(
                a.id(), a.account(), a.definition(), "dir", a.status(), a.createdAt(), world.now, a.publicRead()));
        take();
        Predicate<String> change = frame("change", AGENT_KEY);
        assertEquals(once("agent", "all", "backwards", "guest agent", "public agent", "public all"), copies(change));
        assertEquals(
                once("agent", "all", "backwards"),
                copies(change.and(text -> text.contains("\"accessRole\":\"owner\""))));
        assertEquals(once("guest agent"), copies(change.and(text -> text.contains("\"accessRole\":\"writer\""))));
        assertEquals(
                once("public agent", "public all"),
                copies(change.and(text -> text.contains("\"accessRole\":\"reader\""))));
    }

    @Test
    void run_changed_isShownOnceToSubscribersOfTheTreeAndMembersAccounts() {
        open();
        world.runStatus(RUN, RunStatus.RUNNING);
        take();
        assertEquals(
                once("account", "run", "all", "backwards", "guest account", "public all"),
                copies(frame("change", RUN_KEY)));
        assertEquals(once("child"), copies(frame("change", "runs/" + CHILD)));
    }

    @Test
    void journalEntry_stored_isAppendedToSubscribersOfTheTree() {
        open();
        world.journal(RUN, CHILD, "call");
        take();
        assertEquals(once("run", "all", "backwards", "public all"), copies(frame("append", RUN_KEY)));
        assertEquals(once("child"), copies(frame("append", "runs/" + CHILD)));
        assertEquals(
                List.of("{\"_\":\"append\",\"key\":\"runs/run-1\",\"runId\":\"run-2\",\"seq\":1,"
                        + "\"entry\":{\"kind\":\"call\"},\"createdAt\":" + world.now + ",\"cursor\":1}"),
                of("run"));
    }

    @Test
    void progress_fired_goesToSubscribersOfTheTree() {
        open();
        world.fire(new Signal.Progress(RUN, CHILD, "p", 0.25, "starting", null, null));
        take();
        assertEquals(once("run", "all", "backwards", "public all"), copies(frame("appendPartial", RUN_KEY)));
        assertEquals(
                List.of("{\"_\":\"appendPartial\",\"key\":\"runs/run-2\",\"runId\":\"run-2\",\"partialId\":\"p\","
                        + "\"patch\":{\"progress\":{\"fraction\":0.25,\"label\":\"starting\"}}}"),
                of("child"));
    }

    /** A public reader gets hints over the agent alone, under the owner's key. */
    @Test
    void hint_ofAnAgent_goesOnceToMembersAndThoseWhoWatchIt() {
        open();
        world.say("hello");
        take();
        assertEquals(
                once(
                        "account",
                        "agent",
                        "all",
                        "backwards",
                        "guest account",
                        "guest agent",
                        "public agent",
                        "public all"),
                copies(hint("session-event")));
        assertEquals(once("guest account", "guest agent"), copies(frame("change", "account/" + GUEST.id())));
        assertEquals(
                once("account", "agent", "all", "backwards", "public agent", "public all"),
                copies(frame("change", "account/" + OWNER.id())));
        assertEquals(Map.of(), copies(frame("change", "account/" + STRANGER.id())));
    }

    @Test
    void hint_toNamedAccounts_concernsThemAlone() {
        open();
        world.fire(AccountHint.to(STRANGER.id(), "agent-invites-changed", AGENT));
        world.fire(AccountHint.to(OWNER.id(), "agent-collaborators-changed", AGENT));
        take();
        assertEquals(once("public account", "public agent", "public all"), copies(hint("agent-invites-changed")));
        assertEquals(
                once("account", "agent", "all", "backwards", "public agent", "public all"),
                copies(hint("agent-collaborators-changed")));
    }

    @Test
    void hint_withoutAnAgent_goesToItsAccounts() {
        open();
        world.fire(AccountHint.to(GUEST.id(), "something", null));
        take();
        assertEquals(once("guest account"), copies(text -> true));
    }

    /** The leak of the observed server: after the switch-off nothing more. Members go on. */
    @Test
    void publicRead_switchedOff_publicReadersFallSilent() {
        open();
        world.publicRead(false);
        take();
        world.say("secret");
        world.status(SessionStatus.STREAMING);
        world.runStatus(RUN, RunStatus.RUNNING);
        world.journal(RUN, RUN, "call");
        take();
        for (String name : List.of("public account", "public agent", "public all")) {
            assertEquals(List.of(), of(name), name);
        }
        assertEquals(once("session", "all", "backwards"), copies(frame("append", SESSION_KEY)));
        assertEquals(once("run", "all", "backwards"), copies(frame("append", RUN_KEY)));
    }

    /** Also while its keys lag behind each other: each copy of a snapshot counts for all of them. */
    @Test
    void snapshots_stalledSocket_comeOnceAndNeverAnOlderOne() {
        open();
        AgentsWorld.Peer all = java.util.Objects.requireNonNull(peers.get("all"));
        all.sink.stall();
        world.say("in flight");
        for (int i = 0; i < 5; i++) {
            world.status(SessionStatus.STREAMING);
            world.runStatus(RUN, RunStatus.RUNNING);
            world.status(SessionStatus.IDLE);
        }
        all.take();
        all.sink.drain();
        world.hand.runAll();
        List<String> frames = all.take();
        assertEquals(1, frames.stream().filter(frame("change", SESSION_KEY)).count(), frames::toString);
        assertTrue(frames.stream().anyMatch(text -> text.contains("\"status\":\"idle\"")), frames::toString);
        assertEquals(1, frames.stream().filter(hint("session-updated")).count(), frames::toString);
        assertEquals(1, frames.stream().filter(frame("change", RUN_KEY)).count(), frames::toString);
    }

    /** Law 4: what the answer to a Subscribe shows is not shown again by a key that lags. */
    @Test
    void subscribe_whileAnotherKeyHasTheSame_showsItOnce() {
        AgentsWorld.Peer peer = world.connect();
        peer.subscribe(READER, AGENT_KEY);
        peer.sink.stall();
        world.say("in flight");
        peer.take();
        world.status(SessionStatus.STREAMING);
        peer.subscribe(READER, SESSION_KEY);
        peer.sink.drain();
        world.hand.runAll();
        assertEquals(
                1, peer.take().stream().filter(frame("change", SESSION_KEY)).count());
    }
}
