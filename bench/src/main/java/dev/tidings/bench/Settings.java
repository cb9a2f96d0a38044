package dev.tidings.bench;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the command line asked for: a scenario and options, each with a value it has if it is not given.
 *
 * <p>Threads: immutable.
 */
final class Settings {
    /** How many sockets, sessions or events a scenario takes at most when it is only tried out. */
    private static final int SMOKE_SIZE = 10;

    /** Every option; 0 means what the scenario takes. */
    private static final Map<String, String> USUAL = Map.ofEntries(
            Map.entry("--targets", ""),
            Map.entry("--target", ""),
            Map.entry("--pid", "-1"),
            Map.entry("--rounds", "1"),
            Map.entry("--seconds", "5"),
            Map.entry("--warm-up", "3"),
            Map.entry("--warm-up-rounds", "1"),
            Map.entry("--sockets", "0"),
            Map.entry("--events", "0"),
            Map.entry("--bytes", "250"),
            Map.entry("--window", "64"),
            Map.entry("--per-call", "0"),
            Map.entry("--database", "h2"),
            Map.entry("--jvm", ""),
            Map.entry("--smoke", "false"));

    private final String scenario;
    private final Map<String, String> given;

    private Settings(String scenario, Map<String, String> given) {
        this.scenario = scenario;
        this.given = Map.copyOf(given);
    }

    /** Reads {@code SCENARIO --name value …}; {@code --smoke} has no value. */
    static Settings parse(String... arguments) {
        Deque<String> rest = new ArrayDeque<>(List.of(arguments));
        if (rest.isEmpty()) {
            throw new IllegalArgumentException("which scenario?");
        }
        String scenario = rest.removeFirst();
        Map<String, String> given = new HashMap<>();
        while (!rest.isEmpty()) {
            String name = rest.removeFirst();
            if (!USUAL.containsKey(name)) {
                throw new IllegalArgumentException("unknown: " + name);
            }
            boolean flag = name.equals("--smoke");
            if (!flag && rest.isEmpty()) {
                throw new IllegalArgumentException(name + " of what?");
            }
            given.put(name, flag ? "true" : rest.removeFirst());
        }
        return new Settings(scenario, given);
    }

    /** The scenarios that are asked for: one, several with commas in between, or {@code all}. */
    List<String> scenarios() {
        return scenario.equals("all") ? Scenario.names() : List.of(scenario.split(",", -1));
    }

    /** The same for one of them. */
    Settings of(String one) {
        return new Settings(one, given);
    }

    private String text(String name) {
        return given.getOrDefault(name, USUAL.getOrDefault(name, ""));
    }

    private int number(String name) {
        return Integer.parseInt(text(name));
    }

    private int numberOr(String name, int usual) {
        int number = number(name);
        return number > 0 ? number : usual;
    }

    String scenario() {
        return scenario;
    }

    /** Names of servers that are started; Tidings alone if nothing else is asked for. */
    List<String> targets() {
        String names = text("--targets");
        if (names.isEmpty()) {
            return url().isPresent() ? List.of() : List.of("tidings");
        }
        return List.of(names.split(",", -1));
    }

    /** A server that runs already, measured behind the others. */
    Optional<String> url() {
        return Optional.of(text("--target")).filter(url -> !url.isEmpty());
    }

    /** The process of the server that runs already; -1 if it is unknown. */
    long pid() {
        return number("--pid");
    }

    /** How often each target is measured, in turn. */
    int rounds() {
        return number("--rounds");
    }

    /** Whether a scenario is only tried out, so small that it takes a moment. */
    boolean smoke() {
        return Boolean.parseBoolean(text("--smoke"));
    }

    int seconds() {
        return smoke() ? 1 : number("--seconds");
    }

    int warmUpRounds() {
        return number("--warm-up-rounds");
    }

    int warmUpSeconds() {
        return smoke() ? 0 : number("--warm-up");
    }

    /** How many sockets, or sessions. */
    int socketsOr(int usual) {
        return numberOr("--sockets", smoke() ? Math.min(usual, SMOKE_SIZE) : usual);
    }

    /** How many events in all. */
    int eventsOr(int usual) {
        return numberOr("--events", smoke() ? Math.min(usual, 10 * SMOKE_SIZE) : usual);
    }

    int frameBytes() {
        return number("--bytes");
    }

    /** Events that may be on their way to the slowest socket. */
    int window() {
        return number("--window");
    }

    /** Events of one transaction. */
    int perCallOr(int usual) {
        return numberOr("--per-call", usual);
    }

    /** {@code h2}, a file, or {@code postgresql}, a server of its own for this run. */
    String database() {
        return text("--database");
    }

    /** Arguments of the virtual machine of Tidings. */
    List<String> jvm() {
        String arguments = text("--jvm");
        return arguments.isEmpty() ? List.of() : List.of(arguments.split(" ", -1));
    }
}
