package dev.tidings.demo;

import dev.tidings.Approval;
import dev.tidings.RunUsage;
import dev.tidings.spi.ChildRun;
import dev.tidings.spi.RunContext;
import dev.tidings.spi.RunPlan;
import dev.tidings.spi.StartedChild;
import dev.tidings.spi.ToolCall;
import dev.tidings.spi.ToolResult;
import java.util.ArrayList;
import java.util.List;

/** What the demo agent does besides talking: tools, children, journals, plans. Each gives what is said at the end. */
final class DemoWork {

    private static final int TOOL_STEPS = 4;
    private static final int TITLE = 60;

    private DemoWork() {}

    /** Asks whether the tool may run, runs it in a few steps, and tells of each. */
    static String tool(RunContext run, String name) {
        ToolCall call =
                new ToolCall("call-" + run.run().id(), name, Json.object("name", Json.text(name)), "asked for by hand");
        Approval.Status approval = run.approval(call.id(), name, call.input());
        if (approval != Approval.Status.GRANTED) {
            return name + " did not run: " + approval.code() + ".";
        }
        run.toolCall(call);
        StringBuilder output = new StringBuilder();
        for (int step = 1; step <= TOOL_STEPS; step++) {
            run.checkCancelled();
            output.append("step ")
                    .append(step)
                    .append(" of ")
                    .append(TOOL_STEPS)
                    .append('\n');
            run.progress(name + ", step " + step, (double) step / TOOL_STEPS);
            run.toolProgress(call, "step " + step, output.toString());
        }
        run.usage(new RunUsage(TOOL_STEPS, 0, 0, 0, TOOL_STEPS));
        run.toolResult(ToolResult.of(
                call, Json.object("steps", Integer.toString(TOOL_STEPS), "log", Json.text(output.toString()))));
        return name + " has run.";
    }

    /** Hands the text to a child and passes on what it said. */
    static String child(RunContext run, String text) {
        String title = text.codePointCount(0, text.length()) <= TITLE
                ? text
                : text.substring(0, text.offsetByCodePoints(0, TITLE));
        ToolCall call = new ToolCall(
                "call-" + run.run().id(),
                "delegate",
                Json.object("title", Json.text(title), "brief", Json.text(text)),
                title);
        run.toolCall(call);
        StartedChild child = run.child(ChildRun.agent(title, text, call.id()));
        StartedChild.Outcome outcome = child.await();
        String said = outcome.text();
        run.toolResult(ToolResult.of(
                call,
                Json.object(
                        "status", Json.text(outcome.status().code()),
                        "runId", Json.text(child.runId()),
                        "sessionId", Json.text(child.sessionId()),
                        "output", Json.object("text", Json.text(said)).text())));
        return said.isEmpty() ? "The child is " + outcome.status().code() + "." : "The child said: " + said;
    }

    static String journal(RunContext run, int entries) {
        for (int i = 1; i <= entries; i++) {
            run.progress("entry " + i + " of " + entries, (double) i / entries);
            run.journal(
                    Json.object("kind", Json.text("note"), "n", Integer.toString(i), "of", Integer.toString(entries)));
        }
        return "The journal has " + entries + " more entries.";
    }

    /** Works a plan off, one step after the other. */
    static String plan(RunContext run, int steps) {
        for (int done = 0; done <= steps; done++) {
            List<RunPlan.Step> now = new ArrayList<>();
            for (int step = 1; step <= steps; step++) {
                RunPlan.Status status = step <= done
                        ? RunPlan.Status.DONE
                        : step == done + 1 ? RunPlan.Status.RUNNING : RunPlan.Status.PENDING;
                now.add(new RunPlan.Step("step-" + step, "Step " + step, status, null));
            }
            run.plan(new RunPlan("A plan of " + steps, now));
            run.checkCancelled();
        }
        return "The plan is worked off.";
    }
}
