package dev.tidings.bench;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * What the command line asked for.
 *
 * @param targets names of servers that are started: {@code tidings}, {@code portable}, {@code floor}, {@code batched},
 *     {@code tyrus}, {@code undertow}
 * @param url a server that runs already, measured behind the others
 * @param pid its process
 * @param rounds how often each target is measured, in turn
 * @param sockets 0 for what the scenario takes
 * @param window events that may be on their way to the slowest socket
 * @param perCall events that are published at once
 */
record Settings(
        String scenario,
        List<String> targets,
        Optional<String> url,
        long pid,
        int rounds,
        int seconds,
        int sockets,
        int frameBytes,
        int window,
        int perCall,
        List<String> jvm) {

    /** Reads {@code SCENARIO --name value …}. */
    static Settings parse(String[] arguments) {
        Deque<String> rest = new ArrayDeque<>(List.of(arguments));
        if (rest.isEmpty()) {
            throw new IllegalArgumentException("which scenario?");
        }
        Settings settings =
                new Settings(rest.removeFirst(), List.of(), Optional.empty(), -1, 1, 5, 0, 250, 64, 16, List.of());
        while (!rest.isEmpty()) {
            String name = rest.removeFirst();
            String value = rest.isEmpty() ? "" : rest.removeFirst();
            settings = settings.with(name, value);
        }
        boolean none = settings.targets.isEmpty() && settings.url.isEmpty();
        return none ? settings.with("--targets", "tidings") : settings;
    }

    private Settings with(String name, String value) {
        return switch (name) {
            case "--targets" ->
                new Settings(
                        scenario,
                        List.of(value.split(",", -1)),
                        url,
                        pid,
                        rounds,
                        seconds,
                        sockets,
                        frameBytes,
                        window,
                        perCall,
                        jvm);
            case "--target" ->
                new Settings(
                        scenario,
                        targets,
                        Optional.of(value),
                        pid,
                        rounds,
                        seconds,
                        sockets,
                        frameBytes,
                        window,
                        perCall,
                        jvm);
            case "--jvm" ->
                new Settings(
                        scenario,
                        targets,
                        url,
                        pid,
                        rounds,
                        seconds,
                        sockets,
                        frameBytes,
                        window,
                        perCall,
                        List.of(value.split(" ", -1)));
            default -> withNumber(name, Integer.parseInt(value));
        };
    }

    private Settings withNumber(String name, int value) {
        return switch (name) {
            case "--pid" ->
                new Settings(scenario, targets, url, value, rounds, seconds, sockets, frameBytes, window, perCall, jvm);
            case "--rounds" ->
                new Settings(scenario, targets, url, pid, value, seconds, sockets, frameBytes, window, perCall, jvm);
            case "--seconds" ->
                new Settings(scenario, targets, url, pid, rounds, value, sockets, frameBytes, window, perCall, jvm);
            case "--sockets" ->
                new Settings(scenario, targets, url, pid, rounds, seconds, value, frameBytes, window, perCall, jvm);
            case "--bytes" ->
                new Settings(scenario, targets, url, pid, rounds, seconds, sockets, value, window, perCall, jvm);
            case "--window" ->
                new Settings(scenario, targets, url, pid, rounds, seconds, sockets, frameBytes, value, perCall, jvm);
            case "--per-call" ->
                new Settings(scenario, targets, url, pid, rounds, seconds, sockets, frameBytes, window, value, jvm);
            default -> throw new IllegalArgumentException("unknown: " + name);
        };
    }

    int socketsOr(int usual) {
        return sockets > 0 ? sockets : usual;
    }
}
