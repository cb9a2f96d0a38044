package dev.tidings.runs;

import dev.tidings.AgentInfo;
import dev.tidings.Approval;
import dev.tidings.Payload;
import dev.tidings.RunActivity;
import dev.tidings.RunInfo;
import dev.tidings.RunStatus;
import dev.tidings.RunUsage;
import dev.tidings.SessionInfo;
import dev.tidings.spi.ChildRun;
import dev.tidings.spi.RunCancelledException;
import dev.tidings.spi.RunContext;
import dev.tidings.spi.RunFailure;
import dev.tidings.spi.RunPlan;
import dev.tidings.spi.StartedChild;
import dev.tidings.spi.ToolCall;
import dev.tidings.spi.ToolResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a runner sees of its run. */
final class TurnContext implements RunContext {

    private final RunStore.Claim claim;
    private final AgentInfo agent;
    private final String prompt;
    private final Mailbox mailbox;

    private final int maxMessageBytes;
    private final TurnContext.Family family;
    private final List<Child> children = new ArrayList<>();

    // Confined: the runner's thread, as the children above.
    private long messageBytes;
    private int items;
    private int approvals;

    /** What a run needs of its turn to start others and to ask people. */
    interface Family {

        /** The ids of a child that is not stored yet. */
        Child newChild(ChildRun asked);

        /** Where the decision of an approval is to be given. */
        void expect(String approvalId, Answer<Approval.Status> answer);
    }

    TurnContext(
            RunStore.Claim claim, AgentInfo agent, String prompt, Mailbox mailbox, int maxMessageBytes, Family family) {
        this.claim = claim;
        this.agent = agent;
        this.prompt = prompt;
        this.mailbox = mailbox;
        this.maxMessageBytes = maxMessageBytes;
        this.family = family;
    }

    @Override
    public RunInfo run() {
        return claim.run();
    }

    @Override
    public SessionInfo session() {
        return claim.session();
    }

    @Override
    public AgentInfo agent() {
        return agent;
    }

    @Override
    public String prompt() {
        return prompt;
    }

    @Override
    public void text(String delta) {
        if (delta.isEmpty()) {
            checkCancelled();
        } else {
            if (messageBytes + utf8Length(delta) > maxMessageBytes) {
                if (!mailbox.end(Outcome.Failed.TOO_LARGE)) {
                    throw new RunCancelledException();
                }
                throw new RunFailure(Outcome.Failed.TOO_LARGE.code(), Outcome.Failed.TOO_LARGE.publicText());
            }
            messageBytes += utf8Length(delta);
            report(new Report.Text(delta));
        }
    }

    /** Half a pair counts three bytes, which is what it becomes if it stays alone. */
    private static long utf8Length(String text) {
        long bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            bytes += c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                bytes++;
                i++;
            }
        }
        return bytes;
    }

    @Override
    public void activity(RunActivity activity) {
        report(new Report.Activity(new RunActivity(
                activity.phase(),
                WholeText.repairedOrNull(activity.toolName()),
                WholeText.repairedOrNull(activity.toolCallId()),
                WholeText.repairedOrNull(activity.detail()),
                WholeText.repairedOrNull(activity.outputTail()))));
    }

    @Override
    public void usage(RunUsage usage) {
        report(new Report.Usage(usage));
    }

    @Override
    public void endMessage(@Nullable Payload meta) {
        if (meta != null) {
            // Refused here, where the runner sees it, and not later in the writer.
            RunJson.names(meta);
        }
        messageBytes = 0;
        report(new Report.EndMessage(meta));
    }

    private void settleMessage() {
        messageBytes = 0;
        report(new Report.Settle());
    }

    private String nextItem() {
        return EntryIds.item(claim.run().id(), ++items);
    }

    @Override
    public void toolCall(ToolCall call) {
        settleMessage();
        report(new Report.Call(
                new ToolCall(
                        WholeText.repaired(call.id()),
                        WholeText.repaired(call.name()),
                        call.input(),
                        WholeText.repairedOrNull(call.detail())),
                nextItem()));
    }

    @Override
    public void toolProgress(ToolCall call, @Nullable String detail, @Nullable String outputTail) {
        activity(new RunActivity(RunActivity.Phase.TOOL, call.name(), call.id(), detail, outputTail));
    }

    @Override
    public void toolResult(ToolResult result) {
        if (result.meta() != null) {
            // Refused here, where the runner sees it, and not later in the writer.
            RunJson.names(result.meta());
        }
        report(new Report.Flush());
        report(new Report.Result(
                new ToolResult(
                        WholeText.repaired(result.toolCallId()),
                        WholeText.repaired(result.name()),
                        result.output(),
                        WholeText.repairedOrNull(result.error()),
                        result.meta()),
                nextItem()));
    }

    @Override
    public Approval.Status approval(String toolCallId, String name, Payload input) {
        settleMessage();
        String id = EntryIds.approval(claim.run().id(), ++approvals);
        Answer<Approval.Status> answer = new Answer<>();
        family.expect(id, answer);
        report(new Report.Ask(id, WholeText.repaired(toolCallId), WholeText.repaired(name), input));
        Approval.Status status = await(answer);
        report(new Report.Resume());
        return status;
    }

    private <T> T await(Answer<T> answer) {
        T given = mailbox.await(answer);
        if (given == null) {
            throw new RunCancelledException();
        }
        return given;
    }

    @Override
    public void progress(String label, @Nullable Double fraction) {
        report(new Report.Progress(WholeText.repaired(label), fraction));
    }

    @Override
    public void journal(Payload entry) {
        RunJson.names(entry);
        report(new Report.Journal(entry, nextItem()));
    }

    @Override
    public void plan(RunPlan plan) {
        report(new Report.Plan(new RunPlan(
                WholeText.repairedOrNull(plan.title()),
                plan.steps().stream()
                        .map(step -> new RunPlan.Step(
                                WholeText.repaired(step.id()),
                                WholeText.repaired(step.label()),
                                step.status(),
                                WholeText.repairedOrNull(step.resolvedBy())))
                        .toList())));
    }

    @Override
    public StartedChild child(ChildRun asked) {
        if (claim.run().lineage().depth() >= MOST_DEPTH) {
            throw new RunFailure("too_deep", "Runs are nested too deep.");
        }
        Child child = family.newChild(new ChildRun(
                asked.kind(),
                WholeText.repaired(asked.title()),
                WholeText.repaired(asked.prompt()),
                WholeText.repairedOrNull(asked.toolCallId())));
        report(new Report.Flush());
        report(new Report.Start(child));
        await(child.started());
        children.add(child);
        return new Started(child);
    }

    /** A child in the hands of the runner. */
    private final class Started implements StartedChild {
        private final Child child;

        Started(Child child) {
            this.child = child;
        }

        @Override
        public String runId() {
            return child.runId();
        }

        @Override
        public String sessionId() {
            return child.sessionId();
        }

        @Override
        public Outcome await() {
            checkCancelled();
            Child.End end = child.ended().orNull();
            if (end == null) {
                long pending = children.stream()
                        .filter(c -> c.ended().orNull() == null)
                        .count();
                report(new Report.Wait(RunJson.waitForChildren((int) pending)));
                end = TurnContext.this.await(child.ended());
                report(new Report.Resume());
            }
            return outcome(end);
        }

        private static Outcome outcome(Child.End end) {
            if (end.result() instanceof TurnResult.Failed failed) {
                return new Outcome(RunStatus.FAILED, end.text(), failed.code(), failed.publicText());
            }
            boolean canceled = end.result() instanceof TurnResult.Ended ended && ended.canceled();
            return new Outcome(canceled ? RunStatus.CANCELED : RunStatus.SUCCEEDED, end.text(), null, null);
        }
    }

    @Override
    public boolean cancelled() {
        return mailbox.ending();
    }

    @Override
    public void checkCancelled() {
        if (cancelled()) {
            throw new RunCancelledException();
        }
    }

    @Override
    public void pause(Duration time) {
        mailbox.awaitEnding(time);
    }

    private void report(Report report) {
        if (!mailbox.report(report)) {
            throw new RunCancelledException();
        }
    }
}
