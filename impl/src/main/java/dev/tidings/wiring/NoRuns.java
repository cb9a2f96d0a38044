package dev.tidings.wiring;

import dev.tidings.Approval;
import dev.tidings.runs.ApprovalResult;
import dev.tidings.runs.Runs;
import dev.tidings.runs.TurnResult;
import dev.tidings.runs.UserMessage;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** The run engine of an application that has nothing to answer with: it shows what others store. */
final class NoRuns implements Runs {

    @Override
    public CompletionStage<TurnResult> message(UserMessage message, Consumer<String> alongside) {
        return CompletableFuture.completedFuture(
                new TurnResult.Failed("", "no_agent_runner", "This server runs no agents"));
    }

    @Override
    public CompletionStage<Boolean> stop(String sessionId) {
        return CompletableFuture.completedFuture(false);
    }

    @Override
    public CompletionStage<Boolean> cancel(String runId) {
        return CompletableFuture.completedFuture(false);
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
