package dev.tidings.bench;

import java.net.URI;
import java.util.List;

/**
 * A server that is measured: who sends what it is told to everybody who listens.
 *
 * <p>Threads: one at a time.
 */
interface Target extends AutoCloseable {

    /** What it is called in results. */
    String name();

    URI base();

    /** Where its sockets are. */
    String path();

    /** The process that is charged; -1 if it is unknown. */
    long pid();

    /** Begins a row of events that starts behind the seq that is given back. */
    long begin();

    /** The messages of one socket that wants the row, as the server wants to see them. */
    List<byte[]> subscriptions(long afterSeq);

    /** Has so many events sent that bear this moment; comes back when they were taken. */
    void publish(int count, long at, int frameBytes);

    @Override
    void close();
}
