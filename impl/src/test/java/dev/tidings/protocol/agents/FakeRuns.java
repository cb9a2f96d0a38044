package dev.tidings.protocol.agents;

import dev.tidings.Approval;
import dev.tidings.runs.ApprovalResult;
import dev.tidings.runs.Runs;
import dev.tidings.runs.TurnResult;
import dev.tidings.runs.UserMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** Turns that end when the test says so; at once, unless it says otherwise. */
final class FakeRuns implements Runs {
    final List<UserMessage> messages = new CopyOnWriteArrayList<>();
    final List<String> stopped = new ArrayList<>();
    final List<String> canceled = new ArrayList<>();
    // Volatile: set by the test, read by workers.
    volatile Function<UserMessage, CompletionStage<TurnResult>> turn =
            message -> CompletableFuture.completedFuture(new TurnResult.Ended("run-1", "event-1", false));
    // Volatile: set by the test, read by workers.
    volatile boolean active;

    @Override
    public CompletionStage<TurnResult> message(UserMessage message) {
        messages.add(message);
        return turn.apply(message);
    }

    @Override
    public boolean stop(String sessionId) {
        stopped.add(sessionId);
        return active;
    }

    @Override
    public boolean cancel(String runId) {
        canceled.add(runId);
        return active;
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
    public void close() {}
}
