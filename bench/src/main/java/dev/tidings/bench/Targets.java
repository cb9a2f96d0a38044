package dev.tidings.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The servers of a run, each in a process of its own, in the order in which they are measured.
 *
 * <p>Threads: one.
 */
final class Targets implements AutoCloseable {
    /** The targets that store nothing: floors and peers. */
    private static final List<String> LIGHT = List.of("floor", "batched", "tyrus", "undertow");

    private final List<Target> all = new ArrayList<>();

    private Targets() {}

    /** Starts all that are asked for; none is left if one does not start. */
    static Targets start(Settings settings) {
        Targets targets = new Targets();
        try {
            for (String name : settings.targets()) {
                targets.all.add(LIGHT.contains(name) ? peer(name) : tidings(name, settings));
            }
            settings.url()
                    .ifPresent(url -> targets.all.add(
                            new TidingsTarget(url, URI.create(url), settings.pid(), Optional.empty(), () -> {})));
            return targets;
        } catch (RuntimeException e) {
            targets.close();
            throw e;
        }
    }

    List<Target> all() {
        return all;
    }

    private static Target peer(String name) {
        return switch (name) {
            case "floor" -> peer(name, NioFloor.class, "one");
            case "batched" -> peer(name, NioFloor.class, "batched");
            case "tyrus" -> peer(name, ObviousTyrus.class);
            default -> peer(name, ObviousUndertow.class);
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
    private static Target tidings(String name, Settings settings) {
        Map<String, String> own = switch (name) {
            case "tidings", "wildfly", "payara" -> Map.of();
            case "portable" -> Map.of("TIDINGS_TRANSPORT_DOOR", "portable");
            case "unfed" -> Map.of("TIDINGS_CONVERSATIONS_ENABLED", "false");
            default -> throw new IllegalArgumentException("unknown target: " + name);
        };
        Optional<Postgresql> database = switch (settings.database()) {
            case "h2" -> Optional.empty();
            case "postgresql" -> Optional.of(Postgresql.start());
            default -> throw new IllegalArgumentException("unknown database: " + settings.database());
        };
        Path data = newFolder();
        Runnable cleaning = () -> {
            database.ifPresent(Postgresql::close);
            delete(data);
        };
        try {
            ServerProcess process = process(name, own, settings, database, data);
            return new TidingsTarget(name, process.base(), process.pid(), database, () -> {
                process.close();
                cleaning.run();
            });
        } catch (RuntimeException e) {
            cleaning.run();
            throw e;
        }
    }

    private static ServerProcess process(
            String name, Map<String, String> own, Settings settings, Optional<Postgresql> database, Path data) {
        Map<String, String> environment = new HashMap<>(own);
        environment.put("TIDINGS_AGENTS_MAX_SOCKETS_PER_ACCOUNT", "100000");
        environment.put("TIDINGS_AGENTS_MAX_SOCKETS_PER_ADDRESS", "100000");
        List<String> jvm = new ArrayList<>(List.of("-Xmx512m"));
        jvm.addAll(settings.jvm());
        if (name.equals("wildfly") || name.equals("payara")) {
            if (database.isPresent()) {
                throw new IllegalArgumentException(name + " has a data source of its own");
            }
            return WarServer.valueOf(name.toUpperCase(Locale.ROOT)).start(environment, jvm, data);
        }
        List<String> arguments = new ArrayList<>(List.of("--port", "0", "--data", data.toString()));
        database.ifPresent(postgresql ->
                arguments.addAll(List.of("--database", postgresql.url(), "--database-user", Postgresql.USER)));
        return ServerProcess.start(
                jvm,
                System.getProperty("bench.tidings", System.getProperty("java.class.path")),
                "dev.tidings.standalone.Main",
                environment,
                arguments.toArray(new String[0]));
    }

    static Path newFolder() {
        try {
            return Files.createTempDirectory("tidings-bench");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void delete(Path folder) {
        try (var files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException leftBehind) {
            // It is in the system's folder for such things.
        }
    }

    @Override
    public void close() {
        all.forEach(Target::close);
    }
}
