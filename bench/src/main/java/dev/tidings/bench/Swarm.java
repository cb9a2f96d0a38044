package dev.tidings.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Any number of sockets, read by one thread.
 *
 * <p>It knows how far the slowest of them is, which is what a publisher's window asks.
 *
 * <p>Threads: one opens and asks; the counters are written by the reading thread alone.
 */
final class Swarm implements AutoCloseable {
    private static final int HANDSHAKES = 200;
    private static final int RING = 1 << 20;
    private static final long PATIENCE_SECONDS = 300;

    private final Selector selector;
    private final Thread thread;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Semaphore handshakes = new Semaphore(HANDSHAKES);
    private final List<Watcher> watchers = new ArrayList<>();
    private final int subscriptions;

    // Confined: the reading thread, which alone writes these; others only read the volatile ones.
    private final int[] reached = new int[RING];
    private final Latencies latencies = new Latencies();
    private boolean timing;
    private long readAt;
    private long caughtUpAt = Long.MAX_VALUE;
    // Volatile: written by the reading thread alone.
    private volatile long events;
    private volatile long partials;
    private volatile long opened;
    private volatile long subscribed;
    private volatile long lastPongs;
    private volatile long slowest = -1;
    private volatile long faults;
    private volatile long closed;
    private volatile int reading;
    private volatile String firstFault = "";
    private volatile boolean stopping;

    /** @param subscriptions how many answers each socket waits for when it is opened */
    Swarm(int subscriptions) {
        this.subscriptions = subscriptions;
        try {
            selector = Selector.open();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        thread = new Thread(this::run, "swarm");
        thread.setDaemon(true);
        thread.start();
    }

    /** Opens sockets, each with subscriptions of its own, and waits until all of them are answered. */
    void open(URI base, String path, int count, long last, Supplier<List<byte[]>> messages) {
        long answers = subscribed + (long) count * subscriptions;
        try {
            for (int i = 0; i < count; i++) {
                handshakes.acquire();
                Watcher watcher = Watcher.connect(base, path, messages.get(), last, 0, new Counting());
                watchers.add(watcher);
                adopt(watcher);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        reading += count;
        if (subscriptions == 0) {
            int all = watchers.size();
            await("sockets are open", () -> opened >= all);
        }
        await("subscriptions are answered", () -> subscribed >= answers);
    }

    /** Has each open socket send messages of its own, and waits until so many subscriptions more are answered. */
    void subscribe(List<List<byte[]>> messages) {
        long answers = subscribed + messages.stream().mapToLong(List::size).sum();
        for (int i = 0; i < messages.size(); i++) {
            List<byte[]> own = messages.get(i);
            send(watchers.get(i), watcher -> watcher.send(own));
        }
        selector.wakeup();
        await("subscriptions are answered", () -> subscribed >= answers);
    }

    /** Has each open socket send pings of so many bytes together, and waits until the last are answered. */
    void ping(int bytes) {
        long answers = lastPongs + watchers.size();
        watchers.forEach(one -> send(one, watcher -> watcher.sendPings(bytes)));
        selector.wakeup();
        await("pings are answered", () -> lastPongs >= answers);
    }

    /** What a socket is to send, on the reading thread. */
    private interface Sending {
        void by(Watcher watcher) throws IOException;
    }

    private void send(Watcher watcher, Sending sending) {
        tasks.add(() -> {
            try {
                sending.by(watcher);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** Opens sockets that subscribe and never read anything. */
    void openStalled(URI base, String path, int count, Supplier<List<byte[]>> messages) {
        try {
            for (int i = 0; i < count; i++) {
                watchers.add(Watcher.stalled(base, path, messages.get(), new Counting()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void adopt(Watcher watcher) {
        tasks.add(() -> {
            try {
                watcher.channel().register(selector, SelectionKey.OP_READ, watcher);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        selector.wakeup();
    }

    private void run() {
        ByteBuffer bytes = ByteBuffer.allocateDirect(256 * 1024);
        byte[] copy = new byte[512 * 1024];
        try {
            while (!stopping) {
                selector.select(key -> {
                    readAt = timing ? Event.now() : 0;
                    if (!((Watcher) key.attachment()).read(bytes, copy)) {
                        key.cancel();
                    }
                });
                for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                    task.run();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What one socket brings, counted for all. */
    private final class Counting implements Watcher.Ear {
        private final long born = System.nanoTime();
        // Confined: the reading thread.
        private int answered;

        @Override
        @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
        public void opened() {
            opened++;
            if (subscriptions == 0) {
                handshakes.release();
            }
        }

        @Override
        @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
        public void event(long seq, long at) {
            events++;
            if (seq == caughtUpAt) {
                latencies.add((System.nanoTime() - born) / 1000);
            }
            if (timing && at > 0) {
                latencies.add(readAt - at);
            }
            int place = (int) (seq & (RING - 1));
            reached[place]++;
            long behind = slowest;
            while (reached[(int) ((behind + 1) & (RING - 1))] >= reading && reading > 0) {
                behind++;
                reached[(int) (behind & (RING - 1))] = 0;
            }
            if (behind != slowest) {
                slowest = behind;
            }
        }

        @Override
        @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
        public void partial() {
            partials++;
        }

        @Override
        @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
        public void subscribed() {
            subscribed++;
            if (++answered == subscriptions) {
                handshakes.release();
            }
        }

        @Override
        @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
        public void lastPong() {
            lastPongs++;
        }

        @Override
        @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
        public void fault(String what) {
            faults++;
            if (firstFault.isEmpty()) {
                firstFault = what;
            }
        }

        @Override
        @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
        public void closed(String how) {
            closed++;
            fault(how);
        }
    }

    /** From now on times are taken; those before are forgotten. */
    void startTiming() {
        onThread(() -> {
            latencies.clear();
            timing = true;
        });
    }

    /** Takes how long each socket that is opened from now on needs until it has that event. */
    void timeUntil(long seq) {
        onThread(() -> {
            latencies.clear();
            caughtUpAt = seq;
        });
    }

    /** No more times are taken. */
    Latencies stopTiming() {
        onThread(() -> {
            timing = false;
            caughtUpAt = Long.MAX_VALUE;
        });
        return latencies;
    }

    /** The event that everybody has; the first seq to come is the one behind it. */
    void startAt(long seq) {
        onThread(() -> {
            java.util.Arrays.fill(reached, 0);
            slowest = seq;
        });
    }

    private void onThread(Runnable task) {
        CountDownLatch done = new CountDownLatch(1);
        tasks.add(() -> {
            task.run();
            done.countDown();
        });
        selector.wakeup();
        try {
            if (!done.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the reading thread is stuck");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What is waited for in {@link #await}. */
    interface Until {
        boolean reached();
    }

    /** Waits, looking every half millisecond; throws if it takes longer than five minutes. */
    void await(String what, Until until) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!until.reached()) {
            if (System.nanoTime() > deadline || faults > 1000) {
                throw new IllegalStateException("waited in vain until " + what + "; first fault: " + firstFault);
            }
            java.util.concurrent.locks.LockSupport.parkNanos(500_000);
        }
    }

    long events() {
        return events;
    }

    long partials() {
        return partials;
    }

    long slowest() {
        return slowest;
    }

    long faults() {
        return faults;
    }

    long closed() {
        return closed;
    }

    String firstFault() {
        return firstFault;
    }

    /** Resets all sockets. */
    @Override
    public void close() {
        stopping = true;
        selector.wakeup();
        try {
            thread.join(10_000);
            watchers.forEach(Watcher::cut);
            selector.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
