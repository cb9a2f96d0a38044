package dev.tidings.protocol.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class OneAtATimeTest {

    @Test
    void run_askedWhileRunning_runsOnceMoreNotWithin() throws IOException {
        List<String> steps = new ArrayList<>();
        OneAtATime[] self = new OneAtATime[1];
        self[0] = new OneAtATime(() -> {
            steps.add("begin");
            if (steps.size() == 1) {
                self[0].run();
                self[0].run();
            }
            steps.add("end");
        });

        self[0].run();

        assertEquals(List.of("begin", "end", "begin", "end"), steps);
    }

    @Test
    void run_stepThrows_neverAgain() throws IOException {
        int[] runs = new int[1];
        OneAtATime once = new OneAtATime(() -> {
            runs[0]++;
            throw new IOException("gone");
        });
        assertThrows(IOException.class, once::run);
        once.run();
        assertEquals(1, runs[0]);
    }

    /** The counter is no atomic: a step that ran beside another would lose an increment. */
    @Test
    void run_byMany_everyRequestIsSeenByALaterStep() throws Exception {
        int[] runs = new int[1];
        OneAtATime step = new OneAtATime(() -> runs[0]++);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                all.add(threads.submit(() -> {
                    for (int i = 0; i < 10_000; i++) {
                        step.run();
                    }
                    return null;
                }));
            }
            for (Future<?> one : all) {
                one.get(10, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
        int before = runs[0];
        step.run();
        assertEquals(before + 1, runs[0]);
    }
}
