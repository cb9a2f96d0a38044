package dev.tidings.standalone.outside;

import dev.tidings.Payload;
import dev.tidings.RunActivity;
import dev.tidings.RunUsage;
import dev.tidings.spi.AgentRunner;
import dev.tidings.spi.ChildRun;
import dev.tidings.spi.RunContext;
import dev.tidings.spi.RunFailure;
import dev.tidings.spi.RunPlan;
import dev.tidings.spi.StartedChild;
import dev.tidings.spi.ToolCall;
import dev.tidings.spi.ToolResult;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Alternative;
import java.time.Duration;
import java.util.List;

/**
 * Answers as the agent behind the transcripts did: CMD:SAY, CMD:TOOL, CMD:PLAN, CMD:CHILD, CMD:SCRIPT, CMD:FAIL and
 * CMD:PACED N SIZE MS.
 *
 * <p>Public for the container. Threads: safe for any number of runs at once.
 */
@Alternative
@Priority(1)
@ApplicationScoped
public class ScriptedAgent implements AgentRunner {
    static final String SWITCH = "tidings.test.scripted-agent";
    private static final String WORKFLOW = "the workflow";
    private static final Payload META = Payload.of("{\"model\":\"fake-model\",\"provider\":\"ollama\"}");

    @Override
    public void run(RunContext run) {
        String[] words = run.prompt().split(" ");
        if (run.prompt().equals(WORKFLOW)) {
            workflow(run);
            return;
        }
        switch (words[0]) {
            case "CMD:TOOL" -> tool(run);
            case "CMD:PLAN" -> plan(run);
            case "CMD:CHILD" -> child(run, "agent", "Researcher", "Name three colors", "Child answered.");
            case "CMD:SCRIPT" -> child(run, "workflow", "Script child", WORKFLOW, "The script finished.");
            case "CMD:PACED" -> paced(run, number(words[1]), number(words[2]), number(words[3]));
            case "CMD:FAIL" -> {
                used(run, 0);
                throw new RunFailure("scripted_failure", "400 scripted failure");
            }
            default -> say(run, "Hello from the scripted model.", 1);
        }
    }

    private static void tool(RunContext run) {
        say(run, "I will note that. ", 1);
        ToolCall call = new ToolCall(
                "call-write", "write", Payload.of("{\"address\":\"~/memory/note.md\",\"content\":\"noted\"}"), null);
        run.toolCall(call);
        run.toolResult(new ToolResult(
                call.id(),
                call.name(),
                Payload.of("{\"summary\":\"Wrote note.md (5 bytes).\",\"size\":5}"),
                null,
                Payload.of("{\"durationMs\":3}")));
        say(run, "Done, it is saved.", 2);
    }

    private static void plan(RunContext run) {
        used(run, 1);
        run.plan(planned(RunPlan.Status.RUNNING, RunPlan.Status.PENDING));
        used(run, 2);
        run.plan(planned(RunPlan.Status.DONE, RunPlan.Status.DONE));
        say(run, "Red, blue, green. All done.", 3);
    }

    private static RunPlan planned(RunPlan.Status first, RunPlan.Status second) {
        return new RunPlan(
                "Colors",
                List.of(
                        new RunPlan.Step("s1", "Name three colors", first, null),
                        new RunPlan.Step("s2", "Write the sentence", second, null)));
    }

    private static void child(RunContext run, String kind, String title, String prompt, String end) {
        used(run, 1);
        ToolCall call = new ToolCall("call-delegate", "delegate", Payload.of("{\"title\":\"a child\"}"), title);
        run.toolCall(call);
        StartedChild child = run.child(new ChildRun(kind, title, prompt, call.id()));
        child.await();
        run.toolResult(ToolResult.of(call, Payload.of("{\"status\":\"succeeded\"}")));
        say(run, end, 1);
    }

    private static void workflow(RunContext run) {
        run.progress("starting", 0.25);
        step(run, 1, "read");
        run.progress("listed", 0.75);
        step(run, 2, "write");
    }

    private static void step(RunContext run, int number, String tool) {
        run.journal(Payload.of("{\"kind\":\"call\",\"callSeq\":" + number + ",\"tool\":\"" + tool + "\"}"));
        run.activity(new RunActivity(RunActivity.Phase.TOOL, tool, null, null, null));
        run.activity(RunActivity.of(RunActivity.Phase.THINKING));
        run.journal(Payload.of("{\"kind\":\"result\",\"callSeq\":" + number + ",\"status\":\"succeeded\"}"));
    }

    private static void paced(RunContext run, int count, int size, int millis) {
        for (int i = 0; i < count; i++) {
            run.text("x".repeat(size));
            run.pause(Duration.ofMillis(millis));
        }
        used(run, 1);
        run.endMessage(META);
    }

    private static void say(RunContext run, String text, int calls) {
        run.text(text);
        used(run, calls);
        run.endMessage(META);
    }

    /** What so many calls of a model use. */
    private static void used(RunContext run, int calls) {
        run.usage(new RunUsage(11L * calls, 7L * calls, 0, 0, 18L * calls));
    }

    private static int number(String word) {
        return Integer.parseInt(word);
    }
}
