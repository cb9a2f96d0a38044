package dev.tidings.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Deque;
import java.util.List;

/**
 * The floor: one thread, no library, frames framed once and written to every socket from one direct buffer; a write for
 * each frame, or one for all that were told at once.
 *
 * <p>Threads: one.
 */
final class NioFloor {
    private final boolean batched;
    private final Selector selector = Selector.open();
    // Confined, all of them: the one thread.
    private final List<Socket> watching = new ArrayList<>();
    private final PeerScript script = new PeerScript();
    private final ByteBuffer in = ByteBuffer.allocateDirect(64 * 1024);

    private NioFloor(boolean batched) throws IOException {
        this.batched = batched;
    }

    /** Runs until the process ends: {@code one} or {@code batched}. */
    public static void main(String[] arguments) throws IOException {
        new NioFloor(arguments[0].equals("batched")).run();
    }

    private void run() throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open();
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 4096);
        server.configureBlocking(false);
        server.register(selector, SelectionKey.OP_ACCEPT);
        System.out.println("listening on http://127.0.0.1:" + server.socket().getLocalPort());
        while (true) {
            selector.select();
            List<SelectionKey> ready = new ArrayList<>(selector.selectedKeys());
            selector.selectedKeys().clear();
            for (SelectionKey key : ready) {
                if (!key.isValid()) {
                    continue;
                }
                if (key.isAcceptable()) {
                    accept(server);
                } else {
                    serve(key);
                }
            }
        }
    }

    private void accept(ServerSocketChannel server) throws IOException {
        for (SocketChannel channel = server.accept(); channel != null; channel = server.accept()) {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            Socket socket = new Socket(channel);
            socket.key = channel.register(selector, SelectionKey.OP_READ, socket);
        }
    }

    private void serve(SelectionKey key) {
        Socket socket = (Socket) key.attachment();
        try {
            if (key.isWritable()) {
                socket.flush();
            }
            if (key.isReadable()) {
                in.clear();
                if (socket.channel.read(in) < 0) {
                    throw new IOException("the peer is gone");
                }
                in.flip();
                byte[] bytes = new byte[in.remaining()];
                in.get(bytes);
                socket.take(bytes);
            }
        } catch (IOException gone) {
            watching.remove(socket);
            key.cancel();
            try {
                socket.channel.close();
            } catch (IOException alreadyClosed) {
                // The end is the same.
            }
        }
    }

    private void tell(String told) {
        List<byte[]> frames = script.frames(told);
        if (frames.isEmpty()) {
            return;
        }
        List<ByteBuffer> writes = new ArrayList<>();
        if (batched) {
            ByteBuffer all = ByteBuffer.allocateDirect(
                    frames.stream().mapToInt(frame -> frame.length + 4).sum());
            frames.forEach(frame -> put(frame, all));
            writes.add(all.flip());
        } else {
            for (byte[] frame : frames) {
                ByteBuffer one = ByteBuffer.allocateDirect(frame.length + 4);
                put(frame, one);
                writes.add(one.flip());
            }
        }
        // One frame to everybody, then the next: as if they had been told apart.
        for (ByteBuffer write : writes) {
            for (Socket socket : watching) {
                socket.send(write.duplicate());
            }
        }
    }

    private static void put(byte[] text, ByteBuffer to) {
        to.put((byte) 0x81);
        if (text.length < 126) {
            to.put((byte) text.length);
        } else {
            to.put((byte) 126).putShort((short) text.length);
        }
        to.put(text);
    }

    private static ByteBuffer framed(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        ByteBuffer frame = ByteBuffer.allocate(bytes.length + 4);
        put(bytes, frame);
        return frame.flip();
    }

    /** One connection. */
    private final class Socket {
        private final SocketChannel channel;
        private final Deque<ByteBuffer> waiting = new ArrayDeque<>();
        private byte[] rest = new byte[0];
        private boolean upgraded;
        private boolean publishes;

        @SuppressWarnings("NullAway.Init") // it follows at once
        private SelectionKey key;

        Socket(SocketChannel channel) {
            this.channel = channel;
        }

        void send(ByteBuffer bytes) {
            try {
                if (waiting.isEmpty()) {
                    channel.write(bytes);
                }
                if (bytes.hasRemaining()) {
                    waiting.add(bytes);
                    key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
                }
            } catch (IOException gone) {
                waiting.clear();
            }
        }

        void flush() throws IOException {
            while (!waiting.isEmpty()) {
                channel.write(waiting.getFirst());
                if (waiting.getFirst().hasRemaining()) {
                    return;
                }
                waiting.removeFirst();
            }
            key.interestOps(SelectionKey.OP_READ);
        }

        void take(byte[] more) throws IOException {
            byte[] all = Arrays.copyOf(rest, rest.length + more.length);
            System.arraycopy(more, 0, all, rest.length, more.length);
            int at = upgraded ? 0 : upgrade(all);
            while (upgraded && all.length - at >= 6) {
                int size = all[at + 1] & 0x7f;
                int mask = at + (size == 126 ? 4 : 2);
                size = size == 126 ? (all[at + 2] & 0xff) << 8 | (all[at + 3] & 0xff) : size;
                if (all.length < mask + 4 + size) {
                    break;
                }
                message(unmasked(all, mask, size));
                at = mask + 4 + size;
            }
            rest = Arrays.copyOfRange(all, at, all.length);
        }

        private byte[] unmasked(byte[] all, int mask, int size) {
            byte[] text = new byte[size];
            for (int i = 0; i < size; i++) {
                text[i] = (byte) (all[mask + 4 + i] ^ all[mask + i % 4]);
            }
            return text;
        }

        private void message(byte[] text) {
            if (publishes) {
                tell(new String(text, StandardCharsets.US_ASCII));
            } else {
                send(framed(PeerScript.SUBSCRIBED));
                watching.add(this);
            }
        }

        private int upgrade(byte[] all) {
            String head = new String(all, StandardCharsets.US_ASCII);
            int end = head.indexOf("\r\n\r\n");
            if (end < 0) {
                return 0;
            }
            publishes = head.startsWith("GET /publish");
            String key = head.replaceAll("(?is).*sec-websocket-key: *([^\r\n]*).*", "$1");
            send(ByteBuffer.wrap(("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                            + "Sec-WebSocket-Accept: " + accept(key) + "\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII)));
            upgraded = true;
            return end + 4;
        }

        private static String accept(String key) {
            try {
                return Base64.getEncoder()
                        .encodeToString(MessageDigest.getInstance("SHA-1")
                                .digest((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11")
                                        .getBytes(StandardCharsets.US_ASCII)));
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
