package dev.tidings.standalone.outside;

import dev.tidings.blackbox.RawSocket;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Reads any number of sockets with one thread, as fast as they bring.
 *
 * <p>Threads: any adopts; inboxes are called by its own thread, one at a time.
 */
final class Swarm implements AutoCloseable {
    private record Member(RawSocket socket, RawSocket.Inbox inbox) {}

    private final Selector selector;
    private final ConcurrentLinkedQueue<Member> fresh = new ConcurrentLinkedQueue<>();
    private final Thread reader;
    // Volatile: set once, by close.
    private volatile boolean closed;

    Swarm() {
        try {
            selector = Selector.open();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        reader = new Thread(this::read, "swarm");
        reader.setDaemon(true);
        reader.start();
    }

    /** From now on the swarm reads that socket. */
    void adopt(RawSocket socket, RawSocket.Inbox inbox) {
        fresh.add(new Member(socket, inbox));
        selector.wakeup();
    }

    private void read() {
        ByteBuffer bytes = ByteBuffer.allocateDirect(256 * 1024);
        while (!closed) {
            try {
                selector.select();
                for (Member member = fresh.poll(); member != null; member = fresh.poll()) {
                    register(member);
                }
                List<SelectionKey> ready = new ArrayList<>(selector.selectedKeys());
                selector.selectedKeys().clear();
                for (SelectionKey key : ready) {
                    read((Member) key.attachment(), key, bytes);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private void register(Member member) {
        try {
            member.socket().channel().configureBlocking(false);
            member.socket().channel().register(selector, SelectionKey.OP_READ, member);
        } catch (IOException | RuntimeException alreadyGone) {
            member.socket().gone(member.inbox());
        }
    }

    private static void read(Member member, SelectionKey key, ByteBuffer bytes) {
        try {
            bytes.clear();
            if (member.socket().channel().read(bytes) < 0) {
                key.cancel();
                member.socket().gone(member.inbox());
            } else {
                member.socket().take(bytes.flip(), member.inbox());
            }
        } catch (IOException | java.nio.channels.CancelledKeyException gone) {
            key.cancel();
            member.socket().gone(member.inbox());
        }
    }

    /** Resets all its sockets; a second time does nothing. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        selector.wakeup();
        try {
            reader.join(10_000);
            selector.keys().forEach(key -> ((Member) key.attachment()).socket().reset());
            selector.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
