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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Whether the log answers.
 *
 * <p>Everybody who asks while a look is under way gets its outcome: a database that hangs holds one worker, not one a
 * question.
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

    private final AtomicReference<@Nullable CompletableFuture<String>> look = new AtomicReference<>();

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
        return deadlines.fail(epoch().copy(), PATIENCE);
    }

    private CompletableFuture<String> epoch() {
        CompletableFuture<String> mine = new CompletableFuture<>();
        CompletableFuture<String> underWay = look.compareAndExchange(null, mine);
        if (underWay != null) {
            return underWay;
        }
        try {
            workers.execute(() -> {
                try {
                    String epoch = log.epoch();
                    // An epoch may be remembered; a head is not.
                    log.head(PROBE);
                    look.set(null);
                    mine.complete(epoch);
                } catch (RuntimeException | Error unknown) {
                    // Errors as well: a look that never ends would be the answer to everybody from then on.
                    look.set(null);
                    mine.completeExceptionally(unknown);
                }
            });
        } catch (RuntimeException | Error busy) {
            // A pool that cannot start a thread says so with an error.
            look.set(null);
            mine.completeExceptionally(busy);
        }
        return mine;
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
