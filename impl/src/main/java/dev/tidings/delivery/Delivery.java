package dev.tidings.delivery;

import dev.tidings.StreamKey;
import dev.tidings.event.EntriesStored;
import dev.tidings.spi.EventLog;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * The engine's door: outboxes of sockets on one side, what committed on the other.
 *
 * <p>Threads: any; no method blocks or calls foreign code on the caller's thread, but for {@link #compareHeads}.
 */
public final class Delivery {

    /**
     * An engine.
     *
     * @param executor runs the engine's tasks; may run any number at once
     * @param nanoTime a clock that never goes back
     */
    public Delivery(DeliveryLimits limits, EventLog log, Executor executor, LongSupplier nanoTime) {
        throw new UnsupportedOperationException();
    }

    /** An outbox for a new socket. */
    public Outbox open(Sink sink) {
        throw new UnsupportedOperationException();
    }

    /** A hint that entries were committed; hints of one stream may come late, swapped, twice or never (law 13). */
    public void stored(EntriesStored hint) {
        throw new UnsupportedOperationException();
    }

    /** Shows something to the subscribers of a channel; dropped if there are none. */
    public void publish(Channel channel, Broadcast broadcast) {
        throw new UnsupportedOperationException();
    }

    /** The keys of a kind that have a subscription in this protocol, at this moment. */
    public Set<StreamKey> watched(Translator translator, StreamKey.Kind kind) {
        throw new UnsupportedOperationException();
    }

    /** Compares the heads of all streams that have subscribers with the log; call it every heads.interval. Blocks. */
    public void compareHeads() {
        throw new UnsupportedOperationException();
    }

    /** Pings, watchdogs and windows without subscribers; call it about once a second. */
    public void tick() {
        throw new UnsupportedOperationException();
    }

    /** Disconnects every socket. */
    public void disconnectAll(Disconnect reason) {
        throw new UnsupportedOperationException();
    }
}
