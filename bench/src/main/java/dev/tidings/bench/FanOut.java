package dev.tidings.bench;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * One row of events to many sockets: as fast as a window lets, or so many a second.
 *
 * <p>Threads: one.
 */
final class FanOut {
    private static final int EVENTS_PER_CALL = 16;
    /** Events a second where the pace is given. */
    static final int PACE = 20;

    private final Target target;
    private final Settings settings;
    private final Swarm swarm;
    private long published;

    private FanOut(Target target, Settings settings, Swarm swarm) {
        this.target = target;
        this.settings = settings;
        this.swarm = swarm;
    }

    /** How a measurement differs from the plain one. */
    record Plan(int sockets, int stalled, int eventsPerSecond) {
        static Plan saturating(int sockets) {
            return new Plan(sockets, 0, 0);
        }

        static Plan paced(int sockets, int eventsPerSecond) {
            return new Plan(sockets, 0, eventsPerSecond);
        }
    }

    /** Measures once. */
    static void measure(Target target, Settings settings, Plan plan, Result result) {
        try (Swarm swarm = new Swarm(1)) {
            FanOut fanOut = new FanOut(target, settings, swarm);
            fanOut.published = target.begin();
            swarm.startAt(fanOut.published);
            long first = fanOut.published;
            swarm.open(target.base(), target.path(), plan.sockets(), first, () -> target.subscriptions(first));
            if (plan.stalled() > 0) {
                swarm.openStalled(target.base(), target.path(), plan.stalled(), () -> target.subscriptions(first));
                fanOut.fill();
            }
            fanOut.measure(plan, result);
        }
    }

    /** The same sockets at the same pace, first alone, then next to a tenth more that read nothing. */
    static void measureStalled(Target target, Settings settings, Result result) {
        int sockets = settings.socketsOr(1000);
        int stalled = Math.max(1, sockets / 10);
        Plan alone = Plan.paced(sockets - stalled, PACE);
        Result without = new Result(settings, target.name(), "", 0);
        measure(target, settings, alone, without);
        measure(target, settings, new Plan(alone.sockets(), stalled, PACE), result);
        double p99 = without.figure("p99_ms");
        result.with("stalled", stalled)
                .with("p99_ms_without", p99)
                .with("p99_ratio", result.figure("p99_ms") / p99)
                .with("gaps", without.figure("gaps") + result.figure("gaps"));
    }

    private void measure(Plan plan, Result result) {
        warmUp(plan);
        swarm.startTiming();
        long events = swarm.events();
        ServerProcess.Cpu before = ServerProcess.cpu(target.pid());
        long start = System.nanoTime();
        run(plan, settings.seconds());
        double seconds = (System.nanoTime() - start) / 1e9;
        ServerProcess.Cpu cpu = ServerProcess.cpu(target.pid()).since(before);
        result.with("sockets", plan.sockets())
                .with("bytes", settings.frameBytes())
                .delivered(swarm.events() - events, seconds, cpu)
                .latencies(swarm.stopTiming())
                .ended(target, swarm);
    }

    /** At a low rate it would take the JIT compiler many minutes to have seen everything, and it would be what is measured. */
    private void warmUp(Plan plan) {
        boolean someStalled = plan.stalled() > 0;
        run(someStalled ? plan : Plan.saturating(plan.sockets()), settings.warmUpSeconds());
    }

    /** More than the system's buffers take for a socket that does not read. */
    private void fill() {
        for (int i = 0; i < 80; i++) {
            target.publish(1, Event.now(), 60_000);
            published++;
            swarm.await("the fillers are there", () -> swarm.slowest() >= published);
        }
    }

    private void run(Plan plan, int seconds) {
        if (plan.eventsPerSecond() > 0) {
            paced(plan.eventsPerSecond(), seconds);
        } else {
            saturate(seconds);
        }
        swarm.await("everybody has everything", () -> swarm.slowest() >= published);
    }

    private void saturate(int seconds) {
        int perCall = settings.perCallOr(EVENTS_PER_CALL);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (System.nanoTime() < end) {
            long room = published + perCall - settings.window();
            swarm.await("the slowest comes near", () -> swarm.slowest() >= room);
            publish(perCall);
        }
    }

    private void paced(int eventsPerSecond, int seconds) {
        long start = System.nanoTime();
        for (int i = 0; i < eventsPerSecond * seconds; i++) {
            long due = start + TimeUnit.SECONDS.toNanos(i) / eventsPerSecond;
            while (System.nanoTime() < due) {
                LockSupport.parkNanos(due - System.nanoTime());
            }
            publish(1);
        }
    }

    private void publish(int count) {
        target.publish(count, Event.now(), settings.frameBytes());
        published += count;
    }
}
