package dev.tidings.bench;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * One socket of the bench: a strict reader of what a server sends.
 *
 * <p>Threads: confined to the thread of its {@link Swarm}, once it is adopted.
 */
final class Watcher {
    private static final byte[] SEQ = "\"seq\":".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] AT = "\"at\":".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] END_OF_HEAD = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private static final int FINAL_TEXT = 0x81;
    private static final int CLOSE = 0x88;
    private static final int PING = 0x89;
    private static final int PONG = 0x8a;
    private static final int BINARY = 0x82;

    /** As long as a ping may be. */
    private static final int PING_BYTES = 125;

    private static final byte LAST = 1;

    private static final int STALLED_BUFFER = 16 * 1024;

    /** Where the name of a frame's kind begins. */
    private static final int KIND = 6;

    /** Who hears what a socket brings. */
    interface Ear {
        /** The upgrade was answered. */
        void opened();

        /** An event in its place. */
        void event(long seq, long at);

        /** A piece of text that is not stored. */
        void partial();

        /** The answer to a subscription. */
        void subscribed();

        /** The answer to the last of some pings. */
        void lastPong();

        /** What may never happen: a gap, a repeat, a broken frame. */
        void fault(String what);

        /** The server ended the socket. */
        void closed(String how);
    }

    private static final byte[] NOTHING = new byte[0];

    private final SocketChannel channel;
    private final List<byte[]> subscriptions;
    private final Ear ear;
    // Confined, all of them: the swarm's thread.
    private byte[] rest = NOTHING;
    private boolean upgraded;
    private long last;
    private int seqAt;
    private int atAt;
    private boolean over;

    private Watcher(SocketChannel channel, List<byte[]> subscriptions, long last, Ear ear) {
        this.channel = channel;
        this.subscriptions = subscriptions;
        this.last = last;
        this.ear = ear;
    }

    /**
     * Connects and asks for the upgrade, but does not wait for it.
     *
     * @param subscriptions messages that are sent as soon as the socket is open
     * @param last the seq behind which it goes on; -1 to take the first that comes
     * @param receiveBuffer bytes; 0 as the system sees fit
     */
    static Watcher connect(URI base, String path, List<byte[]> subscriptions, long last, int receiveBuffer, Ear ear)
            throws IOException {
        SocketChannel channel = SocketChannel.open();
        if (receiveBuffer > 0) {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, receiveBuffer);
        }
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.connect(new InetSocketAddress(base.getHost(), base.getPort()));
        String request = "GET " + path + " HTTP/1.1\r\nHost: " + base.getAuthority() + "\r\nUpgrade: websocket\r\n"
                + "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n";
        channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
        channel.configureBlocking(false);
        return new Watcher(channel, subscriptions, last, ear);
    }

    /** A socket with a small receive buffer that subscribes and from then on reads nothing. */
    static Watcher stalled(URI base, String path, List<byte[]> subscriptions, Ear ear) throws IOException {
        Watcher watcher = connect(base, path, subscriptions, -1, STALLED_BUFFER, ear);
        watcher.channel.configureBlocking(true);
        ByteBuffer bytes = ByteBuffer.allocate(256);
        byte[] copy = new byte[1024];
        while (!watcher.upgraded && watcher.read(bytes, copy)) {
            // The head, in one or more pieces; what comes behind it stays unread.
        }
        return watcher;
    }

    SocketChannel channel() {
        return channel;
    }

    long last() {
        return last;
    }

    /** Reads what has come; false if nothing more comes. */
    boolean read(ByteBuffer bytes, byte[] copy) {
        try {
            bytes.clear();
            int count = channel.read(bytes);
            if (count < 0) {
                end("the connection went");
                return false;
            }
            bytes.flip();
            int kept = rest.length;
            byte[] all = kept + count <= copy.length ? copy : new byte[kept + count];
            System.arraycopy(rest, 0, all, 0, kept);
            bytes.get(all, kept, count);
            int used = take(all, kept + count);
            rest = used == kept + count ? NOTHING : Arrays.copyOfRange(all, used, kept + count);
            return !over;
        } catch (IOException e) {
            end("the connection was cut");
            return false;
        }
    }

    private int take(byte[] all, int length) throws IOException {
        int at = 0;
        if (!upgraded) {
            int end = find(END_OF_HEAD, all, 0, length);
            if (end < 0) {
                return 0;
            }
            String head = new String(all, 0, end, StandardCharsets.US_ASCII);
            if (!head.startsWith("HTTP/1.1 101")) {
                ear.fault("refused: " + head.lines().findFirst().orElse(""));
                end("refused");
                return length;
            }
            upgraded = true;
            at = end + END_OF_HEAD.length;
            ear.opened();
            send(subscriptions);
        }
        while (!over) {
            if (length - at < 2) {
                return at;
            }
            int size = all[at + 1] & 0x7f;
            int payload = at + 2;
            if (size == 126) {
                payload = at + 4;
                size = length < payload ? 0 : (all[at + 2] & 0xff) << 8 | (all[at + 3] & 0xff);
            } else if (size == 127) {
                payload = at + 10;
                size = length < payload
                        ? 0
                        : (int) ByteBuffer.wrap(all, at + 2, 8).getLong();
            }
            if (length - payload < size) {
                return at;
            }
            frame(all[at] & 0xff, (all[at + 1] & 0x80) != 0, all, payload, size);
            at = payload + size;
        }
        return length;
    }

    private void frame(int first, boolean masked, byte[] all, int from, int size) throws IOException {
        if (masked) {
            ear.fault("a masked frame");
        }
        switch (first) {
            case FINAL_TEXT -> text(all, from, size);
            case PING -> send(PONG, Arrays.copyOfRange(all, from, from + size));
            case PONG -> {
                if (all[from] == LAST) {
                    ear.lastPong();
                }
            }
            case CLOSE -> end("closed with " + (size < 2 ? 1005 : (all[from] & 0xff) << 8 | (all[from + 1] & 0xff)));
            default -> ear.fault("a frame that begins with " + first);
        }
    }

    private void text(byte[] all, int from, int size) {
        if (size < 16 || all[from] != '{' || all[from + size - 1] != '}') {
            ear.fault("not an object");
        } else if (all[from + KIND] == 's' && all[from + KIND + 1] == 'u') {
            ear.subscribed();
        } else if (all[from + KIND] == 'e' && all[from + KIND + 1] == 'r') {
            ear.fault("refused: " + new String(all, from, size, StandardCharsets.UTF_8));
        } else if (all[from + KIND] == 'a' && all[from + KIND + 6] == 'P') {
            ear.partial();
        } else if (all[from + KIND] == 'a' && all[from + KIND + 6] == '"') {
            event(all, from, size);
        }
    }

    private void event(byte[] all, int from, int size) {
        int end = from + size;
        seqAt = place(SEQ, all, from, end, seqAt);
        long seq = number(all, seqAt < 0 ? end : from + seqAt + SEQ.length, end);
        atAt = place(AT, all, from, end, atAt);
        long at = atAt < 0 ? 0 : number(all, from + atAt + AT.length, end);
        if (last >= 0 && seq != last + 1) {
            ear.fault("seq " + seq + " behind " + last);
        }
        last = seq;
        ear.event(seq, at);
    }

    /** Where the letters stand in the frame; most likely where they stood in the last one. */
    private static int place(byte[] letters, byte[] all, int from, int end, int guess) {
        if (guess > 0 && from + guess + letters.length <= end && matches(letters, all, from + guess)) {
            return guess;
        }
        int found = find(letters, all, from, end);
        return found < 0 ? -1 : found - from;
    }

    private static int find(byte[] letters, byte[] all, int from, int end) {
        for (int i = from; i + letters.length <= end; i++) {
            if (all[i] == letters[0] && matches(letters, all, i)) {
                return i;
            }
        }
        return -1;
    }

    private static boolean matches(byte[] letters, byte[] all, int at) {
        return Arrays.equals(letters, 0, letters.length, all, at, at + letters.length);
    }

    private static long number(byte[] all, int from, int end) {
        long number = 0;
        for (int i = from; i < end && all[i] >= '0' && all[i] <= '9'; i++) {
            number = number * 10 + all[i] - '0';
        }
        return number;
    }

    /** Sends messages; on the swarm's thread. */
    void send(List<byte[]> messages) throws IOException {
        for (byte[] message : messages) {
            send(BINARY, message);
        }
    }

    /** Sends pings of at least so many bytes together; a server may answer the last alone. */
    void sendPings(int bytes) throws IOException {
        byte[] payload = new byte[PING_BYTES];
        for (int left = bytes; left > 0; left -= PING_BYTES) {
            payload[0] = left <= PING_BYTES ? LAST : 0;
            send(PING, payload);
        }
    }

    /** Sends a frame whose mask is all zeros, which is a mask; small enough to fit. */
    private void send(int opcode, byte[] payload) throws IOException {
        ByteBuffer frame = ByteBuffer.allocate(payload.length + 8).put((byte) opcode);
        if (payload.length < 126) {
            frame.put((byte) (0x80 | payload.length));
        } else {
            frame.put((byte) (0x80 | 126)).putShort((short) payload.length);
        }
        frame.putInt(0).put(payload).flip();
        while (frame.hasRemaining()) {
            channel.write(frame);
        }
    }

    private void end(String how) {
        if (!over) {
            over = true;
            ear.closed(how);
            cut();
        }
    }

    /** Resets the connection. */
    void cut() {
        over = true;
        try {
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            channel.close();
        } catch (IOException alreadyGone) {
            // The end is the same.
        }
    }
}
