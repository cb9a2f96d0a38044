package dev.tidings.protocol.agents;

import dev.tidings.StreamKey;
import dev.tidings.protocol.http.HttpAnswer;
import dev.tidings.protocol.json.JsonText;
import dev.tidings.runs.Deadlines;
import dev.tidings.spi.EventLog;
import dev.tidings.spi.NodeHealth.State;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Whether the log answers.
 *
 * <p>Everybody who asks while a look is under way gets its outcome: a database that hangs holds one worker, not one a
 * question. A look that no worker has begun with in time is given up and the next one takes its place: containers were seen
 * to lose a task together with the thread that they started for it.
 *
 * <p>Threads: any.
 */
final class ServerHealth {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final StreamKey PROBE = StreamKey.session("health");

    private final EventLog log;
    private final Executor workers;
    private final Deadlines deadlines;
    private final InstantSource clock;
    // Volatile: set once, when the server begins to stop.
    private volatile boolean draining;

    private final AtomicReference<@Nullable Look> underWay = new AtomicReference<>();

    /** One look at the log. */
    private static final class Look {
        final CompletableFuture<String> epoch = new CompletableFuture<>();
        // Who asked, and was not told yet.
        final AtomicInteger waiting = new AtomicInteger();
        // Volatile: set once, by the worker that takes it.
        volatile boolean begun;
    }

    ServerHealth(EventLog log, Executor workers, Deadlines deadlines, InstantSource clock) {
        this.log = log;
        this.workers = workers;
        this.deadlines = deadlines;
        this.clock = clock;
    }

    /** From now on nobody new is to be sent here. */
    void drain() {
        draining = true;
    }

    /** Whether new peers are to be sent here. */
    CompletionStage<State> state() {
        if (draining) {
            return CompletableFuture.completedFuture(State.DRAINING);
        }
        return look().handle((epoch, failure) -> failure == null ? State.READY : State.UNAVAILABLE);
    }

    CompletionStage<HttpAnswer> answer() {
        if (draining) {
            return CompletableFuture.completedFuture(Answers.json(503, json("draining", null)));
        }
        return look().handle((epoch, failure) ->
                failure == null ? Answers.json(200, json("ok", epoch)) : Answers.json(503, json("unavailable", null)));
    }

    private CompletableFuture<String> look() {
        Look look = lookUnderWay();
        look.waiting.incrementAndGet();
        CompletableFuture<String> asked = deadlines.fail(look.epoch.copy(), PATIENCE);
        return asked.whenComplete((epoch, failure) -> {
            look.waiting.decrementAndGet();
            if (!look.begun) {
                underWay.compareAndSet(look, null);
            }
        });
    }

    private Look lookUnderWay() {
        Look mine = new Look();
        Look others = underWay.compareAndExchange(null, mine);
        if (others != null) {
            return others;
        }
        try {
            workers.execute(() -> look(mine));
        } catch (RuntimeException | Error busy) {
            // A pool that cannot start a thread says so with an error.
            fail(mine, busy);
        }
        return mine;
    }

    private void look(Look mine) {
        mine.begun = true;
        if (underWay.get() != mine && mine.waiting.get() == 0) {
            // Given up, and nobody waits for it; who comes just now is told at once.
            fail(mine, new CancellationException());
            return;
        }
        try {
            String epoch = log.epoch();
            // An epoch may be remembered; a head is not.
            log.head(PROBE);
            underWay.compareAndSet(mine, null);
            mine.epoch.complete(epoch);
        } catch (RuntimeException | Error unknown) {
            // Errors as well: a look that never ends would be the answer to everybody from then on.
            fail(mine, unknown);
        }
    }

    private void fail(Look mine, Throwable cause) {
        underWay.compareAndSet(mine, null);
        mine.epoch.completeExceptionally(cause);
    }

    private String json(String status, @Nullable String epoch) {
        long now = clock.millis();
        byte[] utf8 = JsonText.object(json -> {
            json.text("status", status);
            json.text("epoch", epoch);
            json.number("time", now);
        });
        return new String(utf8, StandardCharsets.UTF_8);
    }
}
