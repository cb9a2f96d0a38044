package dev.tidings.standalone.outside;

import dev.tidings.Payload;
import dev.tidings.RunUsage;
import dev.tidings.spi.AgentRunner;
import dev.tidings.spi.RunContext;
import dev.tidings.spi.RunFailure;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Alternative;
import java.time.Duration;

/**
 * Answers as the agent behind the transcripts did: CMD:SAY, CMD:PACED N SIZE MS, CMD:FAIL.
 *
 * <p>Public for the container. Threads: safe for any number of runs at once.
 */
@Alternative
@Priority(1)
@ApplicationScoped
public class ScriptedAgent implements AgentRunner {
    static final String SWITCH = "tidings.test.scripted-agent";
    private static final Payload META = Payload.of("{\"model\":\"fake-model\",\"provider\":\"ollama\"}");

    @Override
    public void run(RunContext run) {
        String[] words = run.prompt().split(" ");
        switch (words[0]) {
            case "CMD:PACED" -> paced(run, number(words[1]), number(words[2]), number(words[3]));
            case "CMD:FAIL" -> throw new RunFailure("scripted_failure", "400 scripted failure");
            default -> run.text("Hello from the scripted model.");
        }
        end(run);
    }

    private static void paced(RunContext run, int count, int size, int millis) {
        for (int i = 0; i < count; i++) {
            run.text("x".repeat(size));
            run.pause(Duration.ofMillis(millis));
        }
    }

    private static void end(RunContext run) {
        run.usage(new RunUsage(11, 7, 0, 0, 18));
        run.endMessage(META);
    }

    private static int number(String word) {
        return Integer.parseInt(word);
    }
}
