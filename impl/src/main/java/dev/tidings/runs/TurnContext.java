package dev.tidings.runs;

import dev.tidings.AgentInfo;
import dev.tidings.Payload;
import dev.tidings.RunActivity;
import dev.tidings.RunInfo;
import dev.tidings.RunUsage;
import dev.tidings.SessionInfo;
import dev.tidings.spi.RunCancelledException;
import dev.tidings.spi.RunContext;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a runner sees of its run. */
final class TurnContext implements RunContext {

    private final RunStore.Claim claim;
    private final AgentInfo agent;
    private final String prompt;
    private final Mailbox mailbox;

    TurnContext(RunStore.Claim claim, AgentInfo agent, String prompt, Mailbox mailbox) {
        this.claim = claim;
        this.agent = agent;
        this.prompt = prompt;
        this.mailbox = mailbox;
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
            report(new Report.Text(delta));
        }
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
        report(new Report.EndMessage(meta));
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
