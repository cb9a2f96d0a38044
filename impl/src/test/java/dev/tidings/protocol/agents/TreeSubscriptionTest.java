package dev.tidings.protocol.agents;

import static dev.tidings.protocol.agents.AgentsWorld.AGENT;
import static dev.tidings.protocol.agents.AgentsWorld.OWNER;
import static dev.tidings.protocol.agents.AgentsWorld.READER;
import static dev.tidings.protocol.agents.AgentsWorld.SESSION;
import static dev.tidings.protocol.agents.AgentsWorld.STRANGER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.RunStatus;
import dev.tidings.envelope.CborValue;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A3, A4: runs/ keys show a tree, under the key that was asked for, and stay live. */
class TreeSubscriptionTest {
    private final AgentsWorld world = new AgentsWorld().furnished();

    private void tree() {
        world.run("run-1", "run-1", AGENT, SESSION);
        world.now++;
        world.run("run-3", "run-1", AGENT, null);
        world.run("run-2", "run-1", AGENT, null);
        world.now++;
        world.run("run-4", "run-1", null, null);
        world.journal("run-1", "run-1", "a1", "a2");
        world.journal("run-1", "run-2", "b1");
        world.journal("run-1", "run-1", "a3");
        world.hand.runAll();
    }

    private static List<String> entries(List<String> frames) {
        return frames.stream()
                .filter(frame -> frame.startsWith("{\"_\":\"append\""))
                .map(frame -> frame.replaceAll(".*\"seq\":(\\d+),\"entry\":\\{\"kind\":\"([^\"]*)\".*", "$2=$1"))
                .toList();
    }

    private static List<String> runs(List<String> frames) {
        return frames.stream()
                .filter(frame -> frame.startsWith("{\"_\":\"change\""))
                .map(frame -> frame.replaceAll(".*\"value\":\\{\"id\":\"([^\"]*)\".*", "$1"))
                .toList();
    }

    @Test
    void subscribe_root_isAnsweredThenRunsThenJournalThenLive() {
        tree();
        AgentsWorld.Peer peer = world.connect();
        List<String> frames = peer.subscribe(READER, "runs/run-1");
        assertEquals(
                "{\"_\":\"subscribed\",\"key\":\"runs/run-1\",\"accountId\":\"" + READER.id() + "\",\"epoch\":\""
                        + world.tidings.log().epoch() + "\",\"status\":\"replayed\",\"cursor\":0}",
                frames.get(0));
        assertEquals(List.of("run-1", "run-2", "run-3"), runs(frames), "a run without an agent is read by nobody");
        assertEquals(List.of("a1=1", "a2=2", "b1=1", "a3=3"), entries(frames));
        assertTrue(frames.get(3).startsWith("{\"_\":\"change\""), frames::toString);
        world.journal("run-1", "run-2", "b2");
        world.runStatus("run-2", RunStatus.RUNNING);
        List<String> live = peer.take();
        assertEquals(List.of("b2=2"), entries(live));
        assertEquals(List.of("run-2"), runs(live));
    }

    /** The observed server leaves it dead. */
    @Test
    void subscribe_child_showsTheWholeTreeUnderItsKeyAndStaysLive() {
        tree();
        AgentsWorld.Peer peer = world.connect();
        List<String> frames = peer.subscribe(READER, "runs/run-2");
        assertEquals(List.of("run-1", "run-2", "run-3"), runs(frames));
        assertEquals(List.of("a1=1", "a2=2", "b1=1", "a3=3"), entries(frames));
        world.journal("run-1", "run-1", "a4");
        world.runStatus("run-1", RunStatus.RUNNING);
        List<String> live = peer.take();
        assertEquals(List.of("a4=4"), entries(live));
        assertEquals(List.of("run-1"), runs(live));
        for (String frame : frames) {
            assertTrue(frame.contains("\"key\":\"runs/run-2\""), frame);
        }
        for (String frame : live) {
            assertTrue(frame.contains("\"key\":\"runs/run-2\""), frame);
        }
    }

    /** A4: it applies to every run, and to the replay alone. */
    @Test
    void subscribe_afterSeq_leavesOutOfTheReplayAndNotOfWhatIsLive() {
        tree();
        AgentsWorld.Peer peer = world.connect();
        assertEquals(List.of("a2=2", "a3=3"), entries(peer.subscribe(OWNER, "runs/run-1", 1)));
        world.journal("run-1", "run-3", "c1");
        assertEquals(List.of("c1=1"), entries(peer.take()), "live entries all come");
        assertEquals(List.of("a1=1", "a2=2", "b1=1", "a3=3", "c1=1"), entries(peer.subscribe(OWNER, "runs/run-1", 0)));
        assertEquals(List.of("a3=3"), entries(peer.subscribe(OWNER, "runs/run-1", 2)));
        List<String> beyond = peer.subscribe(OWNER, "runs/run-1", 1_000);
        assertEquals(List.of(), entries(beyond));
        assertTrue(beyond.get(0).contains("\"status\":\"ahead\",\"cursor\":5}"), beyond::toString);
        world.journal("run-1", "run-3", "c2");
        assertEquals(List.of("c2=2"), entries(peer.take()));
    }

    @Test
    void subscribe_cursor_goesOnFromThePositionInTheTree() {
        tree();
        AgentsWorld.Peer peer = world.connect();
        Map<String, CborValue> members = Map.of("key", CborValue.text("runs/run-1"), "cursor", CborValue.integer(2));
        List<String> frames = peer.subscribe(OWNER, members);
        assertTrue(frames.get(0).contains("\"status\":\"replayed\",\"cursor\":2}"), frames::toString);
        assertEquals(List.of("b1=1", "a3=3"), entries(frames));
        world.journal("run-1", "run-1", "a4");
        List<String> live = peer.take();
        assertTrue(live.get(0).endsWith("\"cursor\":5}"), "each entry tells where to go on: " + live);
    }

    /** A socket that holds the root and a child gets each entry once under each of its keys. */
    @Test
    void subscribe_rootAndChild_areTwoKeys() {
        tree();
        AgentsWorld.Peer peer = world.connect();
        peer.subscribe(OWNER, "runs/run-1");
        peer.subscribe(OWNER, "runs/run-2");
        world.journal("run-1", "run-1", "a4");
        List<String> live = peer.take();
        assertEquals(2, live.size(), live::toString);
        assertEquals(
                1,
                live.stream()
                        .filter(frame -> frame.contains("\"key\":\"runs/run-1\""))
                        .count());
    }

    /** A reader of a child's agent does not get to see its root, of another agent. */
    @Test
    void subscribe_childOfAnotherAgentsRun_needsBoth() {
        world.agent("agent-2", STRANGER.id(), false);
        world.run("run-1", "run-1", AGENT, SESSION);
        world.run("run-2", "run-1", "agent-2", null);
        world.hand.runAll();
        assertTrue(world.connect().subscribe(STRANGER, "runs/run-2").get(0).contains("run_not_found"));
        assertTrue(world.connect().subscribe(OWNER, "runs/run-2").get(0).contains("run_not_found"));
        assertTrue(world.connect().subscribe(OWNER, "runs/run-1").get(0).contains("subscribed"));
    }

    /** Law 6. */
    @Test
    void remove_collaborator_silencesTheTreeAndAcceptGoesOn() {
        tree();
        AgentsWorld.Peer peer = world.connect();
        peer.subscribe(READER, "runs/run-2");
        world.remove(AGENT, READER.id());
        world.journal("run-1", "run-1", "a4");
        world.runStatus("run-1", RunStatus.RUNNING);
        assertEquals(List.of(), peer.take());
        world.accept(AGENT, READER.id(), dev.tidings.Role.READER);
        assertEquals(List.of("a4=4"), entries(peer.take()));
    }

    /** A root that was asked for as a root and by a client that is behind is one stream. */
    @Test
    void channels_sameKey_areShared() {
        tree();
        world.connect().subscribe(OWNER, "runs/run-1", 1);
        world.connect().subscribe(READER, "runs/run-1");
        world.connect().subscribe(READER, "runs/run-2");
        assertEquals(
                2, world.delivery.channels(dev.tidings.StreamKey.run("run-1")).size());
    }
}
