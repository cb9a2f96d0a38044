package dev.tidings.protocol.conversations;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.ApiKey;
import dev.tidings.ApiKeyScope;
import dev.tidings.delivery.Disconnect;
import dev.tidings.testkit.InMemoryTidings;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Law 6, of what is deleted: nothing of it is shown any more, from wherever it waits. Threads: one. */
class DeletionTest {
    private static final List<String> NO_FRAMES = List.of();

    private final ConversationsWorld world = new ConversationsWorld();

    /** A conversation with a message and a passing delta, beside another one. */
    private void twoConversations(ConversationsWorld in) {
        in.agent("a");
        in.session("s", "a");
        in.session("t", "a");
        for (int i = 0; i < 5; i++) {
            in.message("s", "secret " + i);
            in.delta("s", "p", "secret piece " + i);
            in.message("t", "open " + i);
            in.settle();
        }
    }

    @Test
    void replay_conversationDeleted_showsNothingOfItButItsDeletion() {
        twoConversations(world);
        ApiKey key = world.key();
        Watching before = world.watch(key, null, 0);
        assertTrue(before.frames.toString().contains("secret 4"));
        world.deleteSession("s");
        world.settle();
        Watching after = world.watch(key, null, 0);
        assertFalse(after.frames.toString().contains("secret"), after.frames::toString);
        assertEquals(
                List.of("conversation.deleted"),
                after.events().stream()
                        .filter(event -> "s".equals(Watching.member(event, "conversationId")))
                        .map(event -> Watching.member(event, "type"))
                        .toList());
        assertEquals(
                before.events().stream()
                        .filter(event -> "t".equals(Watching.member(event, "conversationId")))
                        .toList(),
                after.events().stream()
                        .filter(event -> "t".equals(Watching.member(event, "conversationId")))
                        .toList());
        assertFalse(after.types().contains("replay.truncated"), "what was deleted is no loss");
    }

    /** What was encoded already, and waits for a peer that takes nothing, is withdrawn. */
    @Test
    void delivery_deletedWhileItWaits_isNotSent() {
        twoConversations(world);
        Watching slow = world.watch(world.key(), null, -1);
        slow.stall();
        world.message("t", "in flight");
        world.settle();
        for (int i = 0; i < 50; i++) {
            world.message("s", "secret " + i);
            world.delta("s", "q", "secret piece " + i);
        }
        world.message("t", "last");
        world.settle();
        world.deleteSession("s");
        slow.drain();
        world.settle();
        assertFalse(slow.frames.toString().contains("secret"), slow.frames::toString);
        assertEquals(List.of("message.created", "message.created", "conversation.deleted"), slow.types());
    }

    /** From the commit on, before anything that waits for its number is worked on. */
    @Test
    void delivery_deletedBeforeItHasItsNumber_isNotSent() {
        twoConversations(world);
        Watching watching = world.watch(world.key(), null, -1);
        world.message("s", "secret");
        world.delta("s", "q", "secret piece");
        world.deleteSession("s");
        world.settle();
        assertEquals(List.of("conversation.deleted"), watching.types());
    }

    @Test
    void watchers_conversationDeleted_areToldAndClosed() {
        twoConversations(world);
        Watching one = world.watch(world.key(), "s", -1);
        Watching scoped = world.watch(world.key(new ApiKeyScope.OfSession("s")), null, -1);
        Watching other = world.watch(world.key(), "t", -1);
        Watching all = world.watch(world.key(), null, -1);
        world.deleteSession("s");
        assertEquals(NO_FRAMES, one.frames);
        world.settle();
        for (Watching gone : List.of(one, scoped)) {
            assertEquals(List.of("conversation.deleted"), gone.types());
            assertEquals(Disconnect.NOT_FOUND, gone.closed);
        }
        assertEquals(all.frames, one.frames, "with the same number");
        assertNull(other.closed);
        assertEquals(NO_FRAMES, other.frames);
        assertNull(all.closed);
    }

    /** One that lags gets nothing of what it has not taken yet. */
    @Test
    void watcher_lagsWhenItsConversationIsDeleted_isToldNothingButThat() {
        twoConversations(world);
        Watching slow = world.watch(world.key(), "s", -1);
        slow.stall();
        world.message("s", "in flight");
        world.settle();
        world.message("s", "secret");
        world.settle();
        world.deleteSession("s");
        world.settle();
        slow.drain();
        world.settle();
        assertEquals(List.of("message.created", "conversation.deleted"), slow.types());
        assertEquals(Disconnect.NOT_FOUND, slow.closed);
    }

    /** While nobody knows whether its key is valid, a peer is not even told that. */
    @Test
    void watcher_keyUnknownWhenItsConversationIsDeleted_isToldNothing() {
        twoConversations(world);
        Watching one = world.watch(world.key(), "s", -1);
        world.keysAway = true;
        world.keys.recheck();
        world.deleteSession("s");
        world.settle();
        assertEquals(List.of("heartbeat"), one.types());
        assertEquals(Disconnect.NOT_FOUND, one.closed);
    }

    @Test
    void keys_ofWhatWasDeleted_openNothing() {
        twoConversations(world);
        ApiKey ofSession = world.key(new ApiKeyScope.OfSession("s"));
        ApiKey ofAgent = world.key(new ApiKeyScope.OfAgent("a"));
        world.deleteSession("s");
        assertEquals(Disconnect.NOT_FOUND, world.watch(ofSession, null, 0).closed);
        assertEquals(Disconnect.NOT_FOUND, world.watch(world.key(), "s", 0).closed);
        assertNull(world.watch(ofAgent, null, 0).closed);
        world.deleteAgent("a");
        assertEquals(Disconnect.NOT_FOUND, world.watch(ofAgent, null, 0).closed);
    }

    /** Each conversation of an agent is said to be gone; whoever watches no more than that is closed. */
    @Test
    void watchers_agentDeleted_areToldOfEachConversationAndClosed() {
        twoConversations(world);
        world.agent("b");
        world.session("u", "b");
        Watching agent = world.watch(world.key(new ApiKeyScope.OfAgent("a")), null, -1);
        Watching other = world.watch(world.key(new ApiKeyScope.OfAgent("b")), null, -1);
        Watching one = world.watch(world.key(), "t", -1);
        world.deleteAgent("a");
        world.settle();
        assertEquals(List.of("conversation.deleted", "conversation.deleted"), agent.types());
        assertEquals(List.of("conversation.deleted"), one.types());
        assertEquals(Disconnect.NOT_FOUND, one.closed);
        world.face.look();
        world.face.look();
        world.settle();
        assertEquals(Disconnect.NOT_FOUND, agent.closed);
        assertNull(other.closed);
        assertEquals(NO_FRAMES, other.frames);
        assertFalse(
                world.watch(world.key(), null, 0).frames.toString().contains("secret"), "nothing of it is shown again");
    }

    /** Of what was deleted before anybody here came, old history shows nothing, and nobody is told of it again. */
    @Test
    void look_afterAReplayOfWhatWasDeletedLongAgo_tellsNobody() {
        twoConversations(world);
        world.deleteSession("s");
        world.settle();
        ConversationsWorld later = new ConversationsWorld(world.tidings, 2_000, null);
        Watching live = later.watch(later.key(), null, -1);
        Watching replay = later.watch(later.key(), null, 0);
        for (int i = 0; i < 2; i++) {
            later.face.look();
            later.settle();
        }
        assertEquals(NO_FRAMES, live.frames);
        assertEquals(List.of("t"), conversations(replay));
        assertFalse(replay.types().contains("conversation.deleted"), replay.frames::toString);
    }

    /** Likewise a node that runs while the deletion comes between it and what others have numbered. */
    @Test
    void look_readsWhatWasDeletedMeanwhile_tellsNobody() {
        ConversationsWorld other = new ConversationsWorld(world.tidings, 2_000, null);
        other.deaf = true;
        Watching live = other.watch(other.key(), null, -1);
        twoConversations(world);
        world.deleteSession("s");
        world.settle();
        for (int i = 0; i < 3; i++) {
            other.face.look();
            other.settle();
        }
        assertEquals(List.of("t"), conversations(live));
        assertFalse(live.types().contains("conversation.deleted"), live.frames::toString);
    }

    private static List<String> conversations(Watching watching) {
        return watching.events().stream()
                .map(event -> Objects.requireNonNull(Watching.member(event, "conversationId")))
                .distinct()
                .toList();
    }

    /** Law 4: however many watch an agent, a look asks for it once. */
    @Test
    void look_manyWatchOneAgent_asksForItOnce() {
        twoConversations(world);
        for (int i = 0; i < 20; i++) {
            world.watch(world.key(new ApiKeyScope.OfAgent("a")), null, -1);
        }
        int before = world.agentsAsked;
        world.face.look();
        assertEquals(before + 1, world.agentsAsked);
        world.settle();
    }

    /** Deleted on another node: nobody tells, but a look finds it, and says so once. */
    @Test
    void look_deletedOnAnotherNode_endsItHereAsWell() {
        twoConversations(world);
        Watching all = world.watch(world.key(), null, -1);
        Watching ofAgent = world.watch(world.key(new ApiKeyScope.OfAgent("a")), null, -1);
        Watching one = world.watch(world.key(), "s", -1);
        Watching scoped = world.watch(world.key(new ApiKeyScope.OfSession("s")), null, -1);
        world.deaf = true;
        world.deleteSession("s");
        world.deaf = false;
        for (int i = 0; i < 3; i++) {
            world.face.look();
            world.settle();
        }
        for (Watching told : List.of(all, ofAgent, one, scoped)) {
            assertEquals(List.of("conversation.deleted"), told.types());
        }
        assertEquals(Disconnect.NOT_FOUND, one.closed);
        assertEquals(Disconnect.NOT_FOUND, scoped.closed);
        assertNull(all.closed);
        Watching after = world.watch(world.key(), null, 0);
        assertFalse(after.frames.toString().contains("secret"), after.frames::toString);
    }

    /** A node that only reads what another has numbered finds it too, by what it holds. */
    @Test
    void look_nodeThatOnlyReadAlong_forgetsWhatWasDeleted() {
        ConversationsWorld other = new ConversationsWorld(world.tidings, 2_000, null);
        other.watch(other.key(), null, -1);
        other.deaf = true;
        twoConversations(world);
        other.face.look();
        other.settle();
        assertTrue(other.watch(other.key(), null, 0).frames.toString().contains("secret 4"));
        world.deleteSession("s");
        world.settle();
        other.face.look();
        other.settle();
        assertFalse(other.watch(other.key(), null, 0).frames.toString().contains("secret"));
    }

    /** What is told of a child in its parent's conversation is the child's, too. */
    @Test
    void replay_childDeleted_showsNothingOfItInItsParent() {
        twoConversations(world);
        world.child("c", "s", "a");
        world.message("c", "child's secret");
        world.settle();
        ApiKey key = world.key();
        assertTrue(world.watch(key, "s", 0).frames.toString().contains("subagent.message.created"));
        world.deleteSession("c");
        world.settle();
        Watching parent = world.watch(key, "s", 0);
        assertFalse(parent.frames.toString().contains("child's secret"));
        assertTrue(parent.frames.toString().contains("secret 4"), "what is its own stays");
        assertFalse(
                world.face.tape().read(View.ofConversation("s").key(), 0, 1_000, 1 << 20).stream()
                        .anyMatch(entry -> entry.payload().text().contains("child's secret")),
                "and so says the tape, whoever reads it");
    }

    /** Beyond the memory as well: the log shows nothing of it, and the deletion itself is gone then. */
    @Test
    void replay_deletedAndBeyondTheMemory_showsNothing() {
        ConversationsWorld small = new ConversationsWorld(new InMemoryTidings(), 16, null);
        twoConversations(small);
        small.deleteSession("s");
        for (int i = 0; i < 20; i++) {
            small.message("t", "more " + i);
            small.settle();
        }
        Watching watching = small.watch(small.key(), null, 0);
        assertFalse(watching.frames.toString().contains("secret"), watching.frames::toString);
        assertEquals(
                25, watching.types().stream().filter("message.created"::equals).count());
    }

    /** Law 4: what is known of conversations does not outlive them and what shows them. */
    @Test
    void presences_nothingShowsThem_areForgotten() {
        Presences presences = new Presences();
        assertEquals("s", presences.of("s").conversationId());
        presences.leaveOrNull("gone");
        assertTrue(presences.of("gone").gone());
        for (int i = 0; i < 100 && presences.size() > 0; i++) {
            System.gc();
            presences.tidy();
        }
        assertEquals(0, presences.size());
    }

    /** However many are known, each has its turn. */
    @Test
    void presences_some_areOthersWithEachCall() {
        Presences presences = new Presences();
        List<Presence> held = List.of(presences.of("a"), presences.of("b"), presences.of("c"));
        assertEquals(List.of("a", "b"), presences.some(2));
        assertEquals(List.of("c", "a"), presences.some(2));
        presences.leaveOrNull("b");
        assertEquals(List.of("c", "a"), presences.some(3));
        assertEquals(3, held.size());
    }
}
