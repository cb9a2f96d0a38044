package dev.tidings.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Random;

/**
 * Ports of 127.0.0.1 that were free a moment ago.
 *
 * <p>They lie below the range from which the system takes ports for outgoing connections, so that none of those takes
 * one before the server does.
 *
 * <p>Threads: one at a time.
 */
public final class LoopbackPorts {

    private static final int LOWEST = 20_000;
    private static final int COUNT = 12_000;
    private static final int TRIES = 1_000;

    private final Random random = new Random();

    /** A free port that was not handed out before. */
    public int next() {
        for (int i = 0; i < TRIES; i++) {
            int port = LOWEST + random.nextInt(COUNT);
            if (isFree(port)) {
                return port;
            }
        }
        throw new IllegalStateException("no free port found");
    }

    private static boolean isFree(int port) {
        try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getByName("127.0.0.1"))) {
            return probe.getLocalPort() == port;
        } catch (java.net.BindException taken) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
