package dev.tidings.blackbox;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A WebSocket client that misbehaves as no library lets one: it stops reading, cuts a frame in two, resets its connection.
 *
 * <p>Threads: one reads, blocking or through its channel; any sends.
 */
public final class RawSocket implements AutoCloseable {
    /** A receive buffer as the system sees fit. */
    public static final int USUAL_BUFFER = 0;

    /** A receive buffer that is soon full. */
    public static final int SMALL_BUFFER = 16 * 1024;

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int TEXT = 0x81;
    private static final int BINARY = 0x82;
    private static final int PING = 0x89;
    private static final int CLOSE = 0x88;
    private static final int PONG = 0x8a;

    private final SocketChannel channel;
    private final WireFrames frames = new WireFrames();
    private final ReentrantLock sending = new ReentrantLock();
    // Confined: the reader.
    private boolean over;

    /** What a socket brings. */
    public interface Inbox {
        /** A whole text message in UTF-8. */
        void text(byte[] utf8);

        /** The answer to a ping. */
        default void pong(byte[] payload) {}

        /** Nothing more comes; 1006 if the connection just went. Called once. */
        void closed(int code);
    }

    private RawSocket(SocketChannel channel) {
        this.channel = channel;
    }

    /**
     * Connects and sends the handshake, but does not read its answer.
     *
     * @param receiveBuffer bytes, or {@link #USUAL_BUFFER}
     */
    public static RawSocket knock(URI base, String subprotocol, int receiveBuffer) throws IOException {
        return knock(base, "/agents/ws", subprotocol, receiveBuffer);
    }

    private static RawSocket knock(URI base, String path, String subprotocol, int receiveBuffer) throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            if (receiveBuffer != USUAL_BUFFER) {
                channel.setOption(StandardSocketOptions.SO_RCVBUF, receiveBuffer);
            }
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.socket().setSoTimeout((int) PATIENCE.toMillis());
            channel.connect(new InetSocketAddress(base.getHost(), base.getPort()));
            String request = "GET " + base.getPath() + path + " HTTP/1.1\r\nHost: " + base.getAuthority()
                    + "\r\nUpgrade: websocket\r\n"
                    + "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                    + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
                    + (subprotocol.isEmpty() ? "" : "Sec-WebSocket-Protocol: " + subprotocol + "\r\n") + "\r\n";
            RawSocket socket = new RawSocket(channel);
            socket.writeFully(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
            return socket;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** Connects and waits until the handshake was answered well. */
    public static RawSocket open(URI base, String subprotocol, int receiveBuffer) throws IOException {
        return open(base, "/agents/ws", subprotocol, receiveBuffer);
    }

    /** The same at another path. */
    public static RawSocket open(URI base, String path, String subprotocol, int receiveBuffer) throws IOException {
        RawSocket socket = knock(base, path, subprotocol, receiveBuffer);
        try {
            socket.upgraded();
            return socket;
        } catch (IOException | RuntimeException e) {
            socket.reset();
            throw e;
        }
    }

    /** Reads the answer to the handshake. */
    public void upgraded() throws IOException {
        // Byte by byte, so that what comes behind it is left alone.
        InputStream in = channel.socket().getInputStream();
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.US_ASCII).endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("no answer to the handshake");
            }
            head.write(next);
        }
        String answer = head.toString(StandardCharsets.US_ASCII);
        if (!answer.startsWith("HTTP/1.1 101")) {
            throw new IOException("refused: " + answer.lines().findFirst().orElse(""));
        }
    }

    /** The channel, for whoever reads many sockets. */
    public SocketChannel channel() {
        return channel;
    }

    /** Sends one binary message. */
    public void send(byte[] message) throws IOException {
        frame(BINARY, message);
    }

    /** Sends one text message. */
    public void sendText(byte[] utf8) throws IOException {
        frame(TEXT, utf8);
    }

    /** Sends a ping of at most 125 bytes. */
    public void ping(byte[] payload) throws IOException {
        frame(PING, payload);
    }

    /** Announces a binary message of that length, of which nothing is sent yet. */
    public void announce(long length) throws IOException {
        writeFully(ByteBuffer.allocate(14)
                .put((byte) BINARY)
                .put((byte) (0x80 | 127))
                .putLong(length)
                .putInt(0)
                .flip());
    }

    /** Sends bytes as they are. */
    public void sendRaw(byte[] bytes) throws IOException {
        writeFully(ByteBuffer.wrap(bytes));
    }

    /**
     * Waits for bytes and hands on what they complete.
     *
     * @param most how many bytes are taken at once; what they leave incomplete waits for more
     * @return how many came; -1 if nothing more comes
     */
    public int read(int most, Inbox inbox) throws IOException {
        byte[] some = new byte[Math.min(most, 64 * 1024)];
        int count = channel.socket().getInputStream().read(some);
        if (count < 0) {
            gone(inbox);
        } else {
            take(ByteBuffer.wrap(some, 0, count), inbox);
        }
        return over ? -1 : count;
    }

    /** Bytes came: pings are answered, messages handed on. */
    public void take(ByteBuffer bytes, Inbox inbox) throws IOException {
        frames.take(bytes, new WireFrames.Receiver() {
            @Override
            public void text(byte[] utf8) {
                inbox.text(utf8);
            }

            @Override
            public void ping(byte[] payload) throws IOException {
                frame(PONG, payload);
            }

            @Override
            public void pong(byte[] payload) {
                inbox.pong(payload);
            }

            @Override
            public void close(int code) throws IOException {
                if (!over) {
                    over = true;
                    inbox.closed(code);
                    frame(CLOSE, new byte[] {(byte) (code >> 8), (byte) code});
                    channel.close();
                }
            }
        });
    }

    /** The connection went. */
    public void gone(Inbox inbox) {
        if (!over) {
            over = true;
            inbox.closed(1006);
        }
        reset();
    }

    private void frame(int opcode, byte[] payload) throws IOException {
        // A mask of zeros is a mask.
        ByteBuffer frame = ByteBuffer.allocate(payload.length + 14).put((byte) opcode);
        if (payload.length < 126) {
            frame.put((byte) (0x80 | payload.length));
        } else if (payload.length <= 0xffff) {
            frame.put((byte) (0x80 | 126)).putShort((short) payload.length);
        } else {
            frame.put((byte) (0x80 | 127)).putLong(payload.length);
        }
        writeFully(frame.putInt(0).put(payload).flip());
    }

    private void writeFully(ByteBuffer bytes) throws IOException {
        sending.lock();
        try {
            while (bytes.hasRemaining()) {
                // Without blocking it may write nothing for a moment; the server always reads.
                if (channel.write(bytes) == 0) {
                    Thread.onSpinWait();
                }
            }
        } finally {
            sending.unlock();
        }
    }

    /** Cuts the connection with a TCP reset; what is on its way in either direction is lost. */
    public void reset() {
        try {
            if (channel.isOpen()) {
                channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            }
            channel.close();
        } catch (IOException alreadyCut) {
            // The end is the same.
        }
    }

    @Override
    public void close() {
        reset();
    }
}
