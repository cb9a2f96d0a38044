package dev.tidings.sample;

import dev.tidings.spi.AgentRunner;
import dev.tidings.spi.RunContext;
import jakarta.enterprise.context.ApplicationScoped;

/**
 * The desk's agent: it says what it was told, word by word.
 *
 * <p>Threads: one managed thread a run. Public for the container; not API.
 */
@ApplicationScoped
public class EchoRunner implements AgentRunner {

    @Override
    public void run(RunContext run) {
        String separator = "";
        for (String word : run.prompt().split(" ", -1)) {
            run.text(separator + word);
            separator = " ";
        }
        run.endMessage(null);
    }
}
