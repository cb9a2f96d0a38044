package dev.tidings.protocol.agents;

import dev.tidings.RunInfo;
import dev.tidings.RunStatus;
import dev.tidings.spi.Directory.RunQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * Cancels what runs before its session or agent is deleted, so that each run ends with an event of its own. What begins in
 * between, or takes too long to end, is cut off by the deletion. No thread waits for the ends.
 *
 * <p>Threads: any; blocks on the ports.
 */
final class LiveRuns {
    private static final System.Logger LOG = System.getLogger(LiveRuns.class.getName());
    private static final int AT_ONCE = 200;
    private static final int ROUNDS = 10;

    /** Those that wait for their turn first: else the end of one begins the next. */
    private static final List<RunStatus> LIVE =
            List.of(RunStatus.QUEUED, RunStatus.WAITING, RunStatus.CLAIMED, RunStatus.RUNNING);

    private final AgentsHttpPorts ports;
    private final Executor workers;

    /** @param workers where it goes on when some have ended */
    LiveRuns(AgentsHttpPorts ports, Executor workers) {
        this.ports = ports;
        this.workers = workers;
    }

    /** Done when the runs of a session have ended, or will not in time. */
    CompletionStage<?> cancelOfSession(String sessionId) {
        return cancel(status -> new RunQuery(null, sessionId, null, status, AT_ONCE));
    }

    /** Likewise those of an agent. */
    CompletionStage<?> cancelOfAgent(String agentId) {
        return cancel(status -> new RunQuery(null, null, agentId, status, AT_ONCE));
    }

    private CompletionStage<?> cancel(Function<RunStatus, RunQuery> queries) {
        return cancel(queries, 0, 0);
    }

    private CompletableFuture<Boolean> cancel(Function<RunStatus, RunQuery> queries, int status, int round) {
        if (status == LIVE.size()) {
            return CompletableFuture.completedFuture(true);
        }
        if (round == ROUNDS) {
            return cancel(queries, status + 1, 0);
        }
        List<CompletableFuture<Boolean>> cancelled = new ArrayList<>();
        for (RunInfo run : ports.directory().runs(queries.apply(LIVE.get(status)))) {
            cancelled.add(cancelled(run.id()));
        }
        if (cancelled.isEmpty()) {
            return cancel(queries, status + 1, 0);
        }
        return CompletableFuture.allOf(cancelled.toArray(CompletableFuture<?>[]::new))
                .thenComposeAsync(
                        all -> cancelled.stream().anyMatch(CompletableFuture::join)
                                ? cancel(queries, status, round + 1)
                                : cancel(queries, status + 1, 0),
                        workers);
    }

    private CompletableFuture<Boolean> cancelled(String runId) {
        CompletableFuture<Boolean> cancelled;
        try {
            cancelled = ports.runs().cancel(runId).toCompletableFuture();
        } catch (RuntimeException unknown) {
            cancelled = CompletableFuture.failedFuture(unknown);
        }
        return cancelled.exceptionally(notYet -> {
            LOG.log(System.Logger.Level.DEBUG, "a run has not ended yet and is cut off");
            return false;
        });
    }
}
