package dev.tidings.bench;

import dev.tidings.blackbox.SignedClient;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Sockets on which nothing happens: what they take, and what they add to others' events.
 *
 * <p>Three heaps are compared, each after a collection: without them; with bare ones, of which only the objects of Tidings'
 * classes are its own, the rest is the container's; with three subscriptions each, all of whose difference to the bare ones
 * is Tidings'.
 *
 * <p>Threads: one.
 */
final class IdleSockets {
    private static final FanOut.Plan EVENTS = FanOut.Plan.saturating(100);

    private IdleSockets() {}

    static void measure(TidingsTarget target, Settings settings, Result result) {
        int sockets = settings.socketsOr(10_000);
        FanOut.Plan events = settings.smoke() ? FanOut.Plan.saturating(2) : EVENTS;
        Result before = fanOut(target, settings, events);
        bare(target, sockets, result);
        SignedClient account = target.account();
        String agent = account.newAgent();
        String session = account.newSession(agent);
        Heap empty = Heap.of(target.pid());
        long residentBefore = ServerProcess.residentKib(target.pid());
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
            double subscribed = Heap.of(target.pid()).since(empty).all() / sockets;
            long resident = ServerProcess.residentKib(target.pid());
            ServerProcess.Cpu cpu = ServerProcess.cpu(target.pid());
            sleep(settings.seconds());
            cpu = ServerProcess.cpu(target.pid()).since(cpu);
            fanOut(target, settings, events, result);
            double bare = result.figure("heap_b_per_bare_socket");
            result.with("idle", sockets)
                    .with("heap_b_per_socket", subscribed)
                    .with("own_heap_b_per_socket", subscribed - bare + result.figure("own_b_per_bare_socket"))
                    .with("rss_b_per_socket", (resident - residentBefore) * 1024.0 / sockets)
                    .with("idle_cpu_share", (cpu.user() + cpu.system()) / (settings.seconds() * 1e6))
                    .ended(target, swarm);
        }
        Result after = fanOut(target, settings, events);
        double without = (before.figure("cpu_us_per_frame") + after.figure("cpu_us_per_frame")) / 2;
        result.with("cpu_us_per_frame_without", without)
                .with("cpu_ratio", result.figure("cpu_us_per_frame") / without)
                .with("gaps", result.figure("gaps") + before.figure("gaps") + after.figure("gaps"));
    }

    private static void bare(TidingsTarget target, int sockets, Result result) {
        Heap empty = Heap.of(target.pid());
        try (Swarm swarm = new Swarm(0)) {
            swarm.open(target.base(), target.path(), sockets, -1, List::of);
            Heap bare = Heap.of(target.pid()).since(empty);
            result.with("heap_b_per_bare_socket", bare.all() / sockets)
                    .with("own_b_per_bare_socket", bare.own() / sockets);
        }
    }

    private static Result fanOut(TidingsTarget target, Settings settings, FanOut.Plan plan) {
        return fanOut(target, settings, plan, new Result(settings, target.name(), "", 0));
    }

    private static Result fanOut(TidingsTarget target, Settings settings, FanOut.Plan plan, Result result) {
        FanOut.measure(target, settings, plan, result);
        return result;
    }

    private static void sleep(int seconds) {
        try {
            TimeUnit.SECONDS.sleep(seconds);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
