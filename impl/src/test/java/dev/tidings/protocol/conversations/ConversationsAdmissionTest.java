package dev.tidings.protocol.conversations;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.ApiKey;
import dev.tidings.delivery.Disconnect;
import dev.tidings.protocol.admission.AdmissionLimits;
import dev.tidings.spi.Counters.Counter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Law 4: who watches conversations is counted, and bounded, with everybody else. Threads: one. */
class ConversationsAdmissionTest {
    private final ConversationsWorld world = new ConversationsWorld(new AdmissionLimits(3, 4, 10, 20));

    @Test
    void sockets_moreThanAKeyMayHave_areClosedAndComeBack() {
        ApiKey key = world.key();
        world.session("s", "a");
        Watching[] peers = new Watching[4];
        ConversationsSocket[] sockets = new ConversationsSocket[4];
        for (int i = 0; i < 4; i++) {
            peers[i] = new Watching();
            sockets[i] = world.open(peers[i], key, i == 1 ? "s" : null, -1, null);
        }
        assertNull(peers[2].closed);
        assertEquals(Disconnect.TOO_MANY_SOCKETS, peers[3].closed);
        assertEquals(1L, world.node.counters().refusals().get("4005"));
        assertNull(world.watch(world.key(), null, -1).closed, "another key");
        world.face.closed(sockets[0]);
        assertNull(world.watch(key, null, -1).closed, "a place was free again");
    }

    @Test
    void sockets_moreThanAnAddressMayHave_areClosedBeforeAnythingIsRead() {
        for (int i = 0; i < 4; i++) {
            Watching peer = new Watching();
            world.open(peer, world.key(), null, -1, "here");
            assertNull(peer.closed);
        }
        Watching fifth = new Watching();
        world.open(fifth, world.key(), null, -1, "here");
        assertEquals(Disconnect.TOO_MANY_SOCKETS, fifth.closed);
        Watching elsewhere = new Watching();
        world.open(elsewhere, world.key(), null, -1, "there");
        assertNull(elsewhere.closed);
    }

    /** A pool that cannot start a thread says so with an error: the socket is closed, and its place is free again. */
    @Test
    void places_noThreadToAdmit_areFreeAgain() {
        world.noThread = true;
        for (int i = 0; i < 10; i++) {
            Watching peer = new Watching();
            world.open(peer, world.key(), null, -1, "here");
            assertEquals(Disconnect.OVERLOADED, peer.closed);
        }
        world.noThread = false;
        Watching peer = new Watching();
        world.open(peer, world.key(), null, -1, "here");
        assertNull(peer.closed);
        assertEquals(1, world.face.openSockets());
    }

    /** A place is given back by every way out: the key's end, a close, a socket that was never let in. */
    @Test
    void places_howeverTheSocketEnds_areFreeAgain() {
        ApiKey key = world.key();
        for (int i = 0; i < 10; i++) {
            Watching peer = new Watching();
            ConversationsSocket socket = world.open(peer, key, i % 2 == 0 ? "no such conversation" : null, -1, "here");
            assertEquals(i % 2 == 0 ? Disconnect.NOT_FOUND : null, peer.closed);
            world.face.closed(socket);
            world.face.closed(socket);
        }
        ApiKey revoked = world.key();
        Watching peer = world.watch(revoked, null, -1);
        world.tidings.transactions().run(() -> world.tidings.apiKeysWriter().revoke(revoked.id()));
        world.settle();
        assertEquals(Disconnect.UNAUTHORIZED, peer.closed);
        assertEquals(0, world.face.openSockets());
        assertEquals(0, world.node.counters().value(Counter.SUBSCRIPTIONS));
    }

    @Test
    void messages_floodOfThem_isCountedAndEndsTheSocket() {
        Watching peer = new Watching();
        ConversationsSocket socket = world.open(peer, world.key(), null, -1, null);
        for (int i = 0; i < 20; i++) {
            socket.received(1, true);
        }
        assertNull(world.node.counters().refusals().get("too_many_messages"));
        for (int i = 0; i < 20; i++) {
            socket.received(1, true);
        }
        world.settle();
        assertEquals(20L, world.node.counters().refusals().get("too_many_messages"));
        assertNull(peer.closed);
        socket.received(1, true);
        world.settle();
        assertEquals(Disconnect.ABUSE, peer.closed);
    }

    /** A flood of which some is let through is closed after so many refusals all the same. */
    @Test
    void messages_floodThatGoesOn_isClosed() {
        Watching peer = new Watching();
        ConversationsSocket socket = world.open(peer, world.key(), null, -1, null);
        for (int i = 0; i < 1_000 && peer.closed == null; i++) {
            world.pass(Duration.ofMillis(50));
            socket.received(1, true);
            world.settle();
        }
        assertEquals(Disconnect.ABUSE, peer.closed);
        assertEquals(20L, world.node.counters().refusals().get("too_many_messages"));
    }

    /** Pings and pongs are counted like messages; that a peer took an event is none. */
    @Test
    void frames_flood_isClosed() {
        Watching peer = new Watching();
        ConversationsSocket socket = world.open(peer, world.key(), null, -1, null);
        for (int i = 0; i < 1_000; i++) {
            socket.heard();
        }
        socket.frames(40);
        world.settle();
        assertNull(peer.closed);
        socket.frames(1);
        world.settle();
        assertEquals(Disconnect.ABUSE, peer.closed);
    }

    /** Messages say nothing, but how large one may be is the same everywhere, in however many pieces it comes. */
    @Test
    void message_largerThanAllowed_closesAndOneByteLessDoesNot() {
        Watching peer = new Watching();
        ConversationsSocket socket = world.open(peer, world.key(), null, -1, null);
        socket.received(ConversationsWorld.MOST_MESSAGE_BYTES - 1, false);
        socket.received(1, true);
        socket.received(ConversationsWorld.MOST_MESSAGE_BYTES, true);
        world.settle();
        assertNull(peer.closed);
        socket.received(ConversationsWorld.MOST_MESSAGE_BYTES, false);
        socket.received(1, false);
        world.settle();
        assertEquals(Disconnect.TOO_BIG, peer.closed);
    }

    /** What the face keeps, and what its streams keep, is in the one count of the node. */
    @Test
    void bytes_ofTheFeed_areCountedWithTheNode() {
        world.session("s", "a");
        long before = world.node.counters().value(Counter.BYTES);
        world.watch(world.key(), null, -1);
        world.message("s", "x".repeat(10_000));
        world.settle();
        long grown = world.node.counters().value(Counter.BYTES) - before;
        assertTrue(grown > 20_000 && grown < 30_000, "in the memory and in the window of the stream: " + grown);
        assertEquals(1, world.node.counters().value(Counter.SOCKETS));
        assertTrue(world.node.counters().value(Counter.FRAMES_SENT) > 0);
    }
}
