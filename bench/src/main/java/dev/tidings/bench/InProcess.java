package dev.tidings.bench;

import dev.tidings.blackbox.SignedClient;
import dev.tidings.standalone.Main;
import jakarta.enterprise.inject.spi.CDI;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The runnable server in this process, for what is measured at its beans. It lives until the process ends.
 *
 * <p>Threads: one.
 */
public final class InProcess implements AutoCloseable {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(120);

    private final URI base;
    private final Path data;
    private final Optional<Postgresql> database;

    private InProcess(URI base, Path data, Optional<Postgresql> database) {
        this.base = base;
        this.data = data;
        this.database = database;
    }

    /** Starts it with an empty database: {@code h2} or {@code postgresql}. */
    public static InProcess start(String database) {
        Path data = Targets.newFolder();
        Optional<Postgresql> server =
                database.equals("postgresql") ? Optional.of(Postgresql.start()) : Optional.empty();
        int port = freePort();
        List<String> arguments = new ArrayList<>(List.of("--port", Integer.toString(port), "--data", data.toString()));
        server.ifPresent(postgresql ->
                arguments.addAll(List.of("--database", postgresql.url(), "--database-user", Postgresql.USER)));
        Thread main = new Thread(() -> Main.main(arguments.toArray(new String[0])), "tidings");
        main.setDaemon(true);
        main.start();
        InProcess started = new InProcess(URI.create("http://127.0.0.1:" + port), data, server);
        started.awaitReady();
        return started;
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void awaitReady() {
        long deadline = System.nanoTime() + PATIENCE;
        while (true) {
            try {
                SignedClient.get(base);
                return;
            } catch (UncheckedIOException notYet) {
                if (System.nanoTime() > deadline) {
                    throw notYet;
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            }
        }
    }

    /** A bean of it. */
    public <T> T bean(Class<T> type) {
        return CDI.current().select(type).get();
    }

    /** A new session of a new account. */
    public String newSession() {
        return SignedClient.newAccount(base).newSession();
    }

    /** Ends its database; the server itself ends with the process. */
    @Override
    public void close() {
        database.ifPresent(Postgresql::close);
        Targets.delete(data);
    }
}
