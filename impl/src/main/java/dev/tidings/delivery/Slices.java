package dev.tidings.delivery;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sockets that are woken together, in slices of {@value #MOST}. Whoever wakes them takes one slice after the other, and so do a
 * few tasks beside it: to hand a task over costs as much as to send a small batch. Each socket is woken and sent to in one go,
 * by the one thread that touches it; where a send may hold who sends, its drain has a task of its own (law 5).
 *
 * <p>Threads: each slice is confined to who took it.
 */
final class Slices implements Runnable {
    static final int MOST = 32;

    private final List<Subscription> woken;
    private final Tally tally;
    private final Trouble trouble;
    private final Runnable notWoken;
    private final AtomicInteger taken = new AtomicInteger();

    private Slices(List<Subscription> woken, Watch watch, Runnable notWoken) {
        this.woken = woken;
        this.tally = watch.tally();
        this.trouble = watch.trouble();
        this.notWoken = notWoken;
    }

    /**
     * Wakes subscriptions; when it returns, a thread has each of them in hand. Not under a lock.
     *
     * @param notWoken is told, on any thread, if one could not be woken: it is to be woken again later
     */
    static void wake(List<Subscription> woken, Tasks tasks, Watch watch, Runnable notWoken) {
        Slices slices = new Slices(woken, watch, notWoken);
        int count = (woken.size() + MOST - 1) / MOST;
        for (int helpers = Math.min(count, tasks.atOnce()) - 1; helpers > 0; helpers--) {
            if (!tasks.run(slices)) {
                // Who is here does it all.
                break;
            }
        }
        slices.run();
    }

    @Override
    public void run() {
        Tally.Sheet sheet = tally.sheet();
        int from = taken.getAndAdd(MOST);
        while (from < woken.size()) {
            int to = Math.min(from + MOST, woken.size());
            for (int i = from; i < to; i++) {
                try {
                    woken.get(i).wakeAndSend(sheet);
                } catch (RuntimeException | Error unexpected) {
                    // One by one: the others are woken all the same.
                    notWoken.run();
                    trouble.survived(unexpected, "a subscription could not be woken");
                }
            }
            sheet.handIn();
            from = taken.getAndAdd(MOST);
        }
    }
}
