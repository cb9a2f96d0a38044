package dev.tidings.blackbox;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A TCP proxy of 127.0.0.1 that cuts a connection on which the server says nothing for a while, as nginx does after a minute
 * if nobody tells it otherwise.
 *
 * <p>Threads: any; two of its own for each connection.
 */
final class CuttingProxy implements AutoCloseable {
    private final URI server;
    private final int patienceMillis;
    private final ServerSocket door;
    private final Queue<Socket> connections = new ConcurrentLinkedQueue<>();
    private final AtomicInteger cuts = new AtomicInteger();
    private final Semaphore answers = new Semaphore(0);

    private CuttingProxy(URI server, int patienceMillis, ServerSocket door) {
        this.server = server;
        this.patienceMillis = patienceMillis;
        this.door = door;
    }

    static CuttingProxy before(URI server, int patienceMillis) {
        try {
            ServerSocket door = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
            CuttingProxy proxy = new CuttingProxy(server, patienceMillis, door);
            daemon(proxy::accept);
            return proxy;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where clients find the server through it. */
    URI base() {
        return URI.create("http://127.0.0.1:" + door.getLocalPort() + server.getPath());
    }

    /** How many connections it has cut. */
    int cuts() {
        return cuts.get();
    }

    /** Waits until the server has said something that many times more, on whichever connection. */
    void awaitFromServer(int times) throws InterruptedException {
        answers.drainPermits();
        for (int i = 0; i < times; i++) {
            if (!answers.tryAcquire(30, TimeUnit.SECONDS)) {
                throw new AssertionError("the server said only " + i + " things");
            }
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket client = door.accept();
                Socket behind = new Socket(server.getHost(), server.getPort());
                connections.add(client);
                connections.add(behind);
                behind.setSoTimeout(patienceMillis);
                daemon(() -> copy(client, behind, false));
                daemon(() -> copy(behind, client, true));
            }
        } catch (IOException closed) {
            // Nobody wants it any more.
        }
    }

    private void copy(Socket from, Socket to, boolean fromServer) {
        byte[] bytes = new byte[16 * 1024];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int count = read(in, bytes); count >= 0; count = read(in, bytes)) {
                out.write(bytes, 0, count);
                if (fromServer) {
                    answers.release();
                }
            }
        } catch (IOException gone) {
            // The other direction ends with it.
        }
    }

    /** Only the server's side has a timeout; counted before anybody can see the cut. */
    private int read(InputStream in, byte[] bytes) throws IOException {
        try {
            return in.read(bytes);
        } catch (SocketTimeoutException silent) {
            cuts.incrementAndGet();
            return -1;
        }
    }

    private static void daemon(Runnable task) {
        Thread thread = new Thread(task, "cutting proxy");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        try {
            door.close();
            for (Socket socket : connections) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
