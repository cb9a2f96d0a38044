package dev.tidings.wiring;

import dev.tidings.spi.NodeHealth;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How the node is, as of its own last look.
 *
 * <p>Who asks starts no look: Payara asks in the name of another module, and a thread that is started then dies. Who asks before
 * the first look has ended gets that one's outcome, so that a node which serves is not called unavailable.
 *
 * <p>Threads: any.
 */
final class NodeLooks implements NodeHealth {
    private final Supplier<CompletionStage<State>> database;
    private final Pulse rounds;
    private final Pulse answers;
    private final CompletableFuture<State> first = new CompletableFuture<>();

    // Volatile, all of them: written by the start, by a look and by the stop, read by whoever asks.
    private volatile @Nullable State last;
    private volatile boolean begun;
    private volatile boolean draining;

    /** @param database one look at it, which ends within some seconds and does not fail */
    NodeLooks(Supplier<CompletionStage<State>> database, LongSupplier nanoTime) {
        this.database = database;
        this.rounds = new Pulse(nanoTime);
        this.answers = new Pulse(nanoTime);
    }

    /** The node serves from now on: looks for the first time. */
    void begin() {
        answers.beat();
        begun = true;
        look();
    }

    /** Looks again. */
    void look() {
        var unused = database.get().thenAccept(state -> {
            last = state;
            answers.beat();
            first.complete(state);
        });
    }

    /** The work of each second came round. */
    void cameRound() {
        rounds.beat();
    }

    /** From now on nobody new is to be sent here. */
    void drain() {
        draining = true;
    }

    @Override
    public CompletionStage<State> ready() {
        if (draining || !begun || !answers.alive()) {
            return CompletableFuture.completedFuture(now(State.UNAVAILABLE));
        }
        State known = last;
        return known == null ? first.thenApply(this::now) : CompletableFuture.completedFuture(known);
    }

    private State now(State seen) {
        return draining ? State.DRAINING : seen;
    }

    @Override
    public boolean alive() {
        return rounds.alive();
    }
}
