package dev.tidings.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidings.delivery.Sink;

/** Counts how a batch ended. */
final class Ends implements Sink.Completion {
    int succeeded;
    int failed;

    @Override
    public void succeeded() {
        succeeded++;
    }

    @Override
    public void failed() {
        failed++;
    }

    void assertEnds(int expectedSucceeded, int expectedFailed) {
        assertEquals(
                expectedSucceeded + " succeeded, " + expectedFailed + " failed",
                succeeded + " succeeded, " + failed + " failed");
    }
}
