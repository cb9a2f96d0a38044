package dev.tidings.delivery;

import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * What every outbox of an engine shares.
 *
 * <p>Threads: immutable.
 *
 * @param forget takes an outbox that is gone off the list
 */
record Engine(
        DeliveryLimits limits,
        Tasks tasks,
        LongSupplier nanoTime,
        Streams streams,
        PageReader pages,
        Watch watch,
        Consumer<Outbox> forget) {

    Budget budget() {
        return watch.budget();
    }
}
