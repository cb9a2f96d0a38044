package dev.tidings.protocol.http;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs a step that many may ask for, one at a time and without anybody waiting: who comes while it runs makes it run once
 * more.
 *
 * <p>A step that throws is never run again.
 *
 * <p>Threads: any; what a step writes is seen by the next one, on whatever thread.
 */
final class OneAtATime {

    /** What is run. */
    interface Step {
        void run() throws IOException;
    }

    private final AtomicInteger asked = new AtomicInteger();
    private final Step step;

    OneAtATime(Step step) {
        this.step = step;
    }

    void run() throws IOException {
        if (asked.getAndIncrement() != 0) {
            return;
        }
        int answered = 1;
        do {
            step.run();
            answered = asked.addAndGet(-answered);
        } while (answered != 0);
    }
}
