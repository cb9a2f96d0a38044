package dev.tidings.servers.backend;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A port of 127.0.0.1 before a database. While it is shut, the database is away: its connections are cut, and new ones too.
 *
 * <p>Threads: any; it has two of its own for each connection.
 */
final class DatabaseDoor {

    private final ServerSocket listener;
    private final int target;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    // Volatile: written by the test, read by whoever comes in.
    private volatile boolean shut;

    private DatabaseDoor(ServerSocket listener, int target) {
        this.listener = listener;
        this.target = target;
    }

    static DatabaseDoor before(int target) {
        try {
            DatabaseDoor door = new DatabaseDoor(new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1")), target);
            inBackground("door", door::letIn);
            return door;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int port() {
        return listener.getLocalPort();
    }

    void shut() {
        shut = true;
        sockets.forEach(DatabaseDoor::close);
    }

    void open() {
        shut = false;
    }

    private void letIn() {
        while (true) {
            try {
                Socket outside = listener.accept();
                Socket inside = new Socket(InetAddress.getByName("127.0.0.1"), target);
                sockets.add(outside);
                sockets.add(inside);
                if (shut) {
                    close(outside);
                    close(inside);
                }
                inBackground("to the database", () -> carry(outside, inside));
                inBackground("from the database", () -> carry(inside, outside));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private void carry(Socket from, Socket to) {
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            in.transferTo(out);
        } catch (IOException cut) {
            // Then the other end is to know it too.
        } finally {
            close(from);
            close(to);
            sockets.remove(from);
            sockets.remove(to);
        }
    }

    private static void close(Socket socket) {
        try {
            // At once, as when the machine behind it is gone: nothing that is still on its way arrives.
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException gone) {
            // All the better.
        }
    }

    private static void inBackground(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }
}
