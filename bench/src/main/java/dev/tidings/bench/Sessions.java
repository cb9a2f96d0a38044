package dev.tidings.bench;

import dev.tidings.blackbox.Answer;
import dev.tidings.blackbox.SignedClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * What only Tidings does: replay, storms, token streams, idle sockets with subscriptions.
 *
 * <p>Threads: one.
 */
final class Sessions {
    private static final int WINDOW = 2_000;
    private static final int REPLAYED_BYTES = 500;

    private final TidingsTarget target;
    private final Settings settings;

    Sessions(TidingsTarget target, Settings settings) {
        this.target = target;
        this.settings = settings;
    }

    /** Sockets that each take a whole log; from the window if it is no longer than that. */
    Result replay(int events, int sockets) {
        target.begin();
        append(events, REPLAYED_BYTES);
        try (Swarm keepsWindow = new Swarm(1);
                Swarm swarm = new Swarm(1)) {
            if (events <= WINDOW) {
                keepsWindow.startAt(0);
                keepsWindow.open(target.base(), target.path(), 1, 0, () -> target.subscriptions(0));
                keepsWindow.await("the window is warm", () -> keepsWindow.slowest() >= events);
            }
            swarm.startAt(0);
            ServerProcess.Cpu before = ServerProcess.cpu(target.pid());
            long start = System.nanoTime();
            swarm.open(target.base(), target.path(), sockets, 0, () -> target.subscriptions(0));
            swarm.await("everybody has everything", () -> swarm.slowest() >= events);
            return result(swarm, sockets, swarm.events(), start, before);
        }
    }

    /** All sockets are cut at once and come back where they were. */
    Result storm(int sockets) {
        int missed = 50;
        target.begin();
        append(200, settings.frameBytes());
        try (Swarm swarm = new Swarm(1)) {
            swarm.startAt(200);
            swarm.open(target.base(), target.path(), sockets, 200, () -> target.subscriptions(200));
            append(missed, settings.frameBytes());
            swarm.await("everybody has everything", () -> swarm.slowest() >= 200 + missed);
        }
        append(missed, settings.frameBytes());
        int from = 200 + missed;
        try (Swarm swarm = new Swarm(1)) {
            swarm.startAt(from);
            ServerProcess.Cpu before = ServerProcess.cpu(target.pid());
            long start = System.nanoTime();
            swarm.open(target.base(), target.path(), sockets, from, () -> target.subscriptions(from));
            swarm.await("everybody is back", () -> swarm.slowest() >= from + missed);
            double seconds = (System.nanoTime() - start) / 1e9;
            return result(swarm, sockets, swarm.events(), start, before).with("sockets_per_s", sockets / seconds);
        }
    }

    /** Many sessions that each talk to one socket, fifty pieces of text a second. */
    Result tokenStreams(int sessions) {
        SignedClient account = target.account();
        String agent = account.newAgent();
        int pieces = 50 * settings.seconds();
        try (Swarm swarm = new Swarm(1)) {
            List<String> all = new ArrayList<>();
            for (int i = 0; i < sessions; i++) {
                String session = account.newSession(agent);
                all.add(session);
                byte[] subscribe = account.signed("Subscribe", Map.of("key", "sessions/" + session));
                swarm.open(target.base(), target.path(), 1, -1, () -> List.of(subscribe));
            }
            ServerProcess.Cpu before = ServerProcess.cpu(target.pid());
            long start = System.nanoTime();
            List<CompletableFuture<Answer>> turns = all.stream()
                    .map(session -> account.messageAsync(session, "/stream " + pieces + " 20 20"))
                    .toList();
            turns.forEach(CompletableFuture::join);
            return result(swarm, sessions, swarm.partials() + swarm.events(), start, before);
        }
    }

    /** Sockets with three subscriptions that nothing happens on: their memory, and what they add to others' events. */
    Result idle(int sockets) {
        SignedClient account = target.account();
        FanOut.Plan plan = FanOut.Plan.paced(100, 20);
        Result without = FanOut.measure(target, settings, plan);
        double heapBefore = Heap.usedKib(target.pid());
        long residentBefore = ServerProcess.residentKib(target.pid());
        String agent = account.newAgent();
        String session = account.newSession(agent);
        try (Swarm swarm = new Swarm(3)) {
            swarm.open(
                    target.base(),
                    target.path(),
                    sockets,
                    -1,
                    () -> List.of(
                            account.signed("Subscribe", Map.of("key", "sessions/" + session)),
                            account.signed("Subscribe", Map.of("key", "agents/" + agent)),
                            account.signed("Subscribe", Map.of("key", "account/" + account.account()))));
            double heap = Heap.usedKib(target.pid());
            long resident = ServerProcess.residentKib(target.pid());
            ServerProcess.Cpu before = ServerProcess.cpu(target.pid());
            sleep();
            ServerProcess.Cpu cpu = ServerProcess.cpu(target.pid()).since(before);
            Result with = FanOut.measure(target, settings, plan);
            return new Result(settings.scenario(), target.name())
                    .with("sockets", sockets)
                    .with("heap_kb_per_socket", (heap - heapBefore) / sockets)
                    .with("rss_kb_per_socket", (double) (resident - residentBefore) / sockets)
                    .with("idle_cpu_share", (cpu.user() + cpu.system()) / (settings.seconds() * 1e6))
                    .with("cpu_us_per_frame_without", without.figure("cpu_us_per_frame"))
                    .with("cpu_us_per_frame", with.figure("cpu_us_per_frame"))
                    .with("rss_mb", resident / 1024.0)
                    .with("gaps", swarm.faults())
                    .with("fault", swarm.firstFault());
        }
    }

    private void sleep() {
        try {
            TimeUnit.SECONDS.sleep(settings.seconds());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void append(int events, int bytes) {
        for (int left = events; left > 0; left -= 500) {
            target.publish(Math.min(left, 500), Event.now(), bytes);
        }
    }

    private Result result(Swarm swarm, int sockets, long frames, long start, ServerProcess.Cpu before) {
        double seconds = (System.nanoTime() - start) / 1e9;
        ServerProcess.Cpu cpu = ServerProcess.cpu(target.pid()).since(before);
        return new Result(settings.scenario(), target.name())
                .with("sockets", sockets)
                .delivered(frames, seconds, cpu)
                .with("rss_mb", ServerProcess.residentKib(target.pid()) / 1024.0)
                .with("gaps", swarm.faults())
                .with("fault", swarm.firstFault());
    }
}
