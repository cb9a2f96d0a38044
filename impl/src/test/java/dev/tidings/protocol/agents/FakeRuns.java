package dev.tidings.protocol.agents;

import dev.tidings.Approval;
import dev.tidings.EntryKind;
import dev.tidings.NewEntry;
import dev.tidings.RunInfo;
import dev.tidings.RunStatus;
import dev.tidings.StreamKey;
import dev.tidings.UnknownStreamException;
import dev.tidings.runs.ApprovalResult;
import dev.tidings.runs.Runs;
import dev.tidings.runs.TurnResult;
import dev.tidings.runs.UserMessage;
import dev.tidings.spi.Transactions;
import dev.tidings.testkit.InMemoryTidings;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Turns that end when the test says so; at once, unless it says otherwise. Messages and their runs are stored as the engine
 * does it, in one transaction with what goes alongside.
 */
final class FakeRuns implements Runs {
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    final List<UserMessage> messages = new CopyOnWriteArrayList<>();
    final List<String> cancelled = new CopyOnWriteArrayList<>();
    // Volatile: set by the test, read by workers.
    volatile Function<UserMessage, CompletionStage<TurnResult>> turn =
            message -> CompletableFuture.completedFuture(new TurnResult.Ended("run-1", "event-1", false));

    // Volatile: likewise; what a cancel gives instead of doing anything.
    volatile @Nullable CompletionStage<Boolean> heldCancel;

    private final InMemoryTidings tidings;
    private final Transactions transactions;

    FakeRuns(InMemoryTidings tidings, Transactions transactions) {
        this.tidings = tidings;
        this.transactions = transactions;
    }

    @Override
    public CompletionStage<TurnResult> message(UserMessage message, Consumer<String> alongside) {
        String runId = "run-of-message-" + NUMBERS.incrementAndGet();
        transactions.requiresNew(() -> {
            tidings.writer()
                    .append(
                            StreamKey.session(message.sessionId()),
                            new NewEntry(runId + "-0", EntryKind.EVENT, true, message.event(), null, 1));
            tidings.directoryWriter().create(run(runId, message.sessionId()));
            alongside.accept(runId);
            return runId;
        });
        messages.add(message);
        return turn.apply(message);
    }

    private RunInfo run(String id, String sessionId) {
        var session = tidings.directory()
                .session(sessionId)
                .orElseThrow(() -> new UnknownStreamException(StreamKey.session(sessionId)))
                .value();
        return new RunInfo(
                id,
                session.account(),
                id,
                RunInfo.Lineage.ROOT,
                "agent",
                session.agentId(),
                sessionId,
                "user",
                "t",
                RunStatus.RUNNING,
                null,
                null,
                1,
                null,
                null,
                1);
    }

    /** A run that works in the session. */
    String active(String sessionId) {
        String runId = "run-" + NUMBERS.incrementAndGet();
        tidings.transactions().run(() -> tidings.directoryWriter().create(run(runId, sessionId)));
        return runId;
    }

    void end(String runId, RunStatus status) {
        tidings.transactions().run(() -> tidings.directoryWriter().changeRun(runId, r -> r.withStatus(status, 2)));
    }

    @Override
    public CompletionStage<Boolean> stop(String sessionId) {
        throw new AssertionError("actions name the run");
    }

    @Override
    public CompletionStage<Boolean> cancel(String runId) {
        CompletionStage<Boolean> held = heldCancel;
        if (held != null) {
            cancelled.add(runId);
            return held;
        }
        boolean live = tidings.directory()
                .run(runId)
                .filter(run -> !run.value().status().terminal())
                .isPresent();
        if (live) {
            cancelled.add(runId);
            end(runId, RunStatus.CANCELED);
        }
        return CompletableFuture.completedFuture(live);
    }

    @Override
    public ApprovalResult decide(String sessionId, String approvalId, Approval.Status decision) {
        return new ApprovalResult.Unknown();
    }

    @Override
    public void recover() {}

    @Override
    public void renewLease() {}

    @Override
    public void look() {}

    @Override
    public void close() {}
}
