package dev.tidings.standalone;

import dev.tidings.demo.DemoData;
import dev.tidings.wiring.WrongSetting;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** The command {@code ./run}. Public for the {@code java} launcher; not API. */
public final class Main {
    /** Where the API key given on the command line is found by MicroProfile Config. */
    static final String API_KEY = "tidings.api-key";

    private static final int FAILED = 1;
    private static final int WRONG_USAGE = 2;

    private Main() {}

    /** Runs until the process is told to stop; exits with 2 for a wrong command line, 1 if it cannot start. */
    public static void main(String[] arguments) {
        run(List.of(arguments), Faces.ofTidings());
    }

    static void run(List<String> arguments, Faces faces) {
        if (!arguments.isEmpty() && arguments.get(0).equals("keys")) {
            keys(arguments.subList(1, arguments.size()));
            return;
        }
        Options options;
        try {
            options = Options.parse(arguments);
        } catch (Options.WrongUsage e) {
            System.err.println("tidings: " + e.getMessage() + " (--help shows the options)");
            System.exit(WRONG_USAGE);
            return;
        }
        if (options.help()) {
            System.out.print(help());
            return;
        }
        Logging.configure(System.getenv("TIDINGS_LOG"));
        options.apiKey().ifPresent(key -> System.setProperty(API_KEY, key));
        try {
            serve(options, faces);
        } catch (StartFailure e) {
            System.err.println("tidings: " + e.getMessage());
            logWhy(e);
            System.exit(FAILED);
        } catch (RuntimeException e) {
            System.err.println("tidings: " + wrongSetting(e).orElse("cannot start (TIDINGS_LOG=debug shows why)"));
            logWhy(e);
            System.exit(FAILED);
        }
    }

    /** What is wrong with a setting, wherever in the container it was read. */
    private static Optional<String> wrongSetting(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof WrongSetting) {
                return Optional.ofNullable(cause.getMessage());
            }
        }
        return Optional.empty();
    }

    /** Exits with 2 for a wrong command line, 1 if it was not done. */
    private static void keys(List<String> words) {
        // What a person wants to see here is the answer alone.
        String level = System.getenv("TIDINGS_LOG");
        Logging.configure(level == null ? "warn" : level);
        try {
            KeyDesk.Answer answer = Keys.run(words);
            if (answer.done()) {
                System.out.println(answer.text());
                return;
            }
            System.err.println("tidings: " + answer.text());
        } catch (Options.WrongUsage e) {
            System.err.println("tidings: " + e.getMessage() + " (--help shows the options)");
            System.exit(WRONG_USAGE);
        } catch (StartFailure e) {
            System.err.println("tidings: " + e.getMessage());
            logWhy(e);
        } catch (RuntimeException e) {
            System.err.println("tidings: it failed (TIDINGS_LOG=debug shows why)");
            logWhy(e);
        }
        System.exit(FAILED);
    }

    private static void serve(Options options, Faces faces) {
        knock(options);
        Server server = Server.start(options, faces);
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            System.out.println("Tidings is stopping");
                            server.stop();
                            stopped.countDown();
                        },
                        "tidings-stop"));
        announce(System.out, options, server.port(), server.faces());
        try {
            stopped.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Tells of an address that cannot be used before the seconds of a start are spent; the real try comes last. */
    private static void knock(Options options) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new java.net.InetSocketAddress(InetAddress.getByName(options.host()), options.port()));
        } catch (UnknownHostException e) {
            throw new StartFailure("there is no address " + options.host(), e);
        } catch (BindException e) {
            throw new StartFailure(
                    "port " + options.port() + " on " + options.host()
                            + " cannot be used (is another server running? --port chooses another)",
                    e);
        } catch (IOException e) {
            throw new StartFailure("cannot listen on " + options.host(), e);
        }
    }

    private static void announce(PrintStream out, Options options, int port, Faces faces) {
        String address = (options.host().contains(":") ? "[" + options.host() + "]" : options.host()) + ":" + port;
        out.println("Tidings is listening on http://" + address);
        faces.sockets().forEach(socket -> out.println("  ws    ws://" + address + socket.path()));
        faces.servlets().forEach(http -> http.paths().forEach(path -> out.println("  http  http://" + address + path)));
        out.println("  demo  account " + DemoData.ACCOUNT + ", agent " + DemoData.AGENT);
        out.println("  data  " + options.data());
        out.flush();
    }

    private static String help() {
        try (InputStream text = Main.class.getResourceAsStream("help.txt")) {
            return new String(Objects.requireNonNull(text).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void logWhy(RuntimeException failure) {
        System.getLogger(Main.class.getName()).log(System.Logger.Level.DEBUG, "the start failed", failure);
    }
}
