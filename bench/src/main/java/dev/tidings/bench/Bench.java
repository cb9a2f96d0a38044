package dev.tidings.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Measures a scenario on one server or several, in turn, and prints a line of JSON each time; then, of several rounds, the
 * medians and the ratios to the first of them.
 */
public final class Bench {
    private static final List<String> RATIOS =
            List.of("cpu_us_per_frame", "user_us_per_frame", "frames_per_s", "p99_ms");

    private Bench() {}

    /** {@code SCENARIO [--target URL [--pid PID] | --targets NAMES] [--rounds N] …}. */
    public static void main(String[] arguments) {
        Settings settings = Settings.parse(arguments);
        List<Target> targets = new ArrayList<>();
        try {
            settings.targets().forEach(name -> targets.add(started(name, settings)));
            settings.url()
                    .ifPresent(url -> targets.add(new TidingsTarget(url, URI.create(url), settings.pid(), () -> {})));
            Map<String, List<Result>> results = new LinkedHashMap<>();
            // Several rounds are measured warm: a round that does not count comes before them.
            boolean several = settings.rounds() > 1;
            for (int round = several ? -1 : 0; round < settings.rounds(); round++) {
                for (Target target : targets) {
                    Result result = scenario(settings, target).with("round", round);
                    System.out.println(result);
                    if (round >= 0) {
                        results.computeIfAbsent(target.name(), name -> new ArrayList<>())
                                .add(result);
                    }
                }
            }
            if (several) {
                new Summary(results, RATIOS).lines().forEach(System.out::println);
            }
        } finally {
            targets.forEach(Target::close);
        }
        System.exit(0);
    }

    private static Result scenario(Settings settings, Target target) {
        return switch (settings.scenario()) {
            case "fanout-100" -> FanOut.measure(target, settings, FanOut.Plan.saturating(settings.socketsOr(100)));
            case "fanout-1000" -> FanOut.measure(target, settings, FanOut.Plan.saturating(settings.socketsOr(1000)));
            case "paced-1000" -> FanOut.measure(target, settings, FanOut.Plan.paced(settings.socketsOr(1000), 20));
            case "stalled-10pct" -> {
                int sockets = settings.socketsOr(1000);
                yield FanOut.measure(target, settings, new FanOut.Plan(sockets - sockets / 10, sockets / 10, 20));
            }
            case "idle-10000" -> ours(settings, target, sessions -> sessions.idle(settings.socketsOr(10_000)));
            case "replay-window" -> ours(settings, target, sessions -> sessions.replay(2_000, settings.socketsOr(100)));
            case "replay" -> ours(settings, target, sessions -> sessions.replay(10_000, settings.socketsOr(20)));
            case "storm-5000" -> ours(settings, target, sessions -> sessions.storm(settings.socketsOr(5_000)));
            case "token-streams" -> ours(settings, target, sessions -> sessions.tokenStreams(settings.socketsOr(200)));
            default -> throw new IllegalArgumentException("unknown scenario: " + settings.scenario());
        };
    }

    private static Result ours(Settings settings, Target target, Function<Sessions, Result> measured) {
        if (target instanceof TidingsTarget tidings) {
            return measured.apply(new Sessions(tidings, settings));
        }
        throw new IllegalArgumentException(settings.scenario() + " is about Tidings alone");
    }

    private static Target started(String name, Settings settings) {
        return switch (name) {
            case "floor" -> peer(name, NioFloor.class, "one");
            case "batched" -> peer(name, NioFloor.class, "batched");
            case "tyrus" -> peer(name, ObviousTyrus.class);
            case "undertow" -> peer(name, ObviousUndertow.class);
            case "tidings" -> tidings(name, "auto", settings);
            case "portable" -> tidings(name, "portable", settings);
            default -> throw new IllegalArgumentException("unknown target: " + name);
        };
    }

    private static Target peer(String name, Class<?> main, String... arguments) {
        return new PeerTarget(
                name,
                ServerProcess.start(
                        List.of("-Xmx512m"),
                        System.getProperty("java.class.path"),
                        main.getName(),
                        Map.of(),
                        arguments));
    }

    /** The runnable server, with the action that publishes; other bounds than speed's are out of the way. */
    private static Target tidings(String name, String door, Settings settings) {
        Path data = newFolder();
        Map<String, String> environment = new HashMap<>();
        environment.put("TIDINGS_TRANSPORT_DOOR", door);
        environment.put("TIDINGS_AGENTS_MAX_SOCKETS_PER_ACCOUNT", "100000");
        environment.put("TIDINGS_AGENTS_MAX_SOCKETS_PER_ADDRESS", "100000");
        List<String> jvm = new ArrayList<>(List.of("-Xmx512m"));
        jvm.addAll(settings.jvm());
        ServerProcess process = ServerProcess.start(
                jvm,
                System.getProperty("bench.tidings", System.getProperty("java.class.path")),
                "dev.tidings.standalone.Main",
                environment,
                "--port",
                "0",
                "--data",
                data.toString());
        return new TidingsTarget(name, process.base(), process.pid(), () -> {
            process.close();
            delete(data);
        });
    }

    private static Path newFolder() {
        try {
            return Files.createTempDirectory("tidings-bench");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path folder) {
        try (var files = Files.walk(folder)) {
            files.sorted(java.util.Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException leftBehind) {
            // It is in the system's folder for such things.
        }
    }
}
