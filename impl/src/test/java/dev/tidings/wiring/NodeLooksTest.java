package dev.tidings.wiring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.spi.NodeHealth.State;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A node is called ready as soon as it is, and not while nobody knows. */
class NodeLooksTest {
    private final List<CompletableFuture<State>> looks = new ArrayList<>();
    private long now = 7;
    private final NodeLooks node = new NodeLooks(this::oneLook, () -> now);

    private CompletableFuture<State> oneLook() {
        CompletableFuture<State> look = new CompletableFuture<>();
        looks.add(look);
        return look;
    }

    private State ready() {
        return node.ready().toCompletableFuture().getNow(null);
    }

    @Test
    void ready_beforeTheNodeServes_unavailable() {
        assertEquals(State.UNAVAILABLE, ready());
        assertEquals(List.of(), looks, "who asks starts no look");
    }

    @Test
    void ready_askedWhileTheFirstLookGoesOn_isItsOutcome() {
        node.begin();
        CompletableFuture<State> early = node.ready().toCompletableFuture();
        CompletableFuture<State> another = node.ready().toCompletableFuture();
        assertFalse(early.isDone(), "nobody knows yet");
        looks.get(0).complete(State.READY);
        assertEquals(State.READY, early.join());
        assertEquals(State.READY, another.join());
        assertEquals(State.READY, ready());
        assertEquals(1, looks.size(), "who asks starts no look");
    }

    @Test
    void ready_firstLookFindsNothing_unavailableUntilALookFindsIt() {
        node.begin();
        CompletableFuture<State> early = node.ready().toCompletableFuture();
        looks.get(0).complete(State.UNAVAILABLE);
        assertEquals(State.UNAVAILABLE, early.join());
        node.look();
        assertEquals(State.UNAVAILABLE, ready(), "as of the last look that ended");
        looks.get(1).complete(State.READY);
        assertEquals(State.READY, ready());
    }

    @Test
    void ready_noLookEnds_unavailableAfterAWhile() {
        node.begin();
        now += Pulse.LONGEST.toNanos();
        assertEquals(State.UNAVAILABLE, ready());
        looks.get(0).complete(State.READY);
        assertEquals(State.READY, ready());
        now += Pulse.LONGEST.toNanos();
        assertEquals(State.UNAVAILABLE, ready());
    }

    @Test
    void ready_draining_saysSoToThoseWhoWaitToo() {
        node.begin();
        CompletableFuture<State> early = node.ready().toCompletableFuture();
        node.drain();
        assertEquals(State.DRAINING, ready());
        looks.get(0).complete(State.READY);
        assertEquals(State.DRAINING, early.join());
    }

    @Test
    void alive_roundsStandStill_isNotAnyMore() {
        assertTrue(node.alive());
        node.cameRound();
        now += Pulse.LONGEST.toNanos();
        assertFalse(node.alive());
    }
}
