package dev.tidings.bench;

import dev.tidings.blackbox.SignedClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Sockets on which nothing happens: what they take, and what they add to others' events.
 *
 * <p>Three heaps are compared, each after a collection: without them; with bare ones, of which only the objects of Tidings'
 * classes are its own, the rest is the container's; with three subscriptions each, all of whose difference to the bare ones
 * is Tidings'. The bare ones have read as many bytes as subscribing takes, since a container keeps its buffer for them.
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
        // Not the publisher's, whose sockets are told that a session of theirs has changed.
        SignedClient account = SignedClient.newAccount(target.base());
        String agent = account.newAgent();
        String session = account.newSession(agent);
        Heap empty = Heap.of(target.pid());
        long residentBefore = ServerProcess.residentKib(target.pid());
        // The same sockets first bare, then subscribed: what closed ones leave in the container's caches would be used
        // again.
        try (Swarm swarm = new Swarm(0)) {
            swarm.open(target.base(), target.path(), sockets, -1, List::of);
            List<List<byte[]>> subscriptions = subscriptions(account, sockets, session, agent);
            swarm.ping(subscriptions.get(0).stream()
                    .mapToInt(bytes -> bytes.length)
                    .sum());
            Heap bare = Heap.of(target.pid());
            swarm.subscribe(subscriptions);
            Heap subscribed = Heap.of(target.pid());
            long resident = ServerProcess.residentKib(target.pid());
            ServerProcess.Cpu cpu = ServerProcess.cpu(target.pid());
            sleep(settings.seconds());
            cpu = ServerProcess.cpu(target.pid()).since(cpu);
            fanOut(target, settings, events, result);
            double own = bare.since(empty).own() + subscribed.since(bare).all();
            result.with("idle", sockets)
                    .with("heap_b_per_bare_socket", bare.since(empty).all() / sockets)
                    .with("heap_b_per_socket", subscribed.since(empty).all() / sockets)
                    .with("own_heap_b_per_socket", own / sockets)
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

    /** Three for each socket. */
    private static List<List<byte[]>> subscriptions(SignedClient account, int sockets, String session, String agent) {
        List<List<byte[]>> messages = new ArrayList<>();
        for (int i = 0; i < sockets; i++) {
            List<byte[]> own = new ArrayList<>();
            for (String key : List.of("sessions/" + session, "agents/" + agent, "account/" + account.account())) {
                own.add(account.signed("Subscribe", Map.of("key", key)));
            }
            messages.add(own);
        }
        return messages;
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
