package dev.tidings.standalone;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A client that says exactly what a test wants, down to the bytes; reads end after 20 s. */
final class RawClient implements Closeable {
    private static final int TIMEOUT_MILLIS = 20_000;
    private static final byte[] MASK = {1, 2, 3, 4};

    private final Socket socket;
    private final DataInputStream in;

    /** What came: {@code opcode} without the FIN bit. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Frame(int opcode, byte[] payload) {
        String text() {
            return new String(payload, StandardCharsets.UTF_8);
        }

        int closeCode() {
            return ByteBuffer.wrap(payload).getShort() & 0xffff;
        }

        String closeReason() {
            return new String(payload, 2, payload.length - 2, StandardCharsets.UTF_8);
        }
    }

    RawClient(int port, int receiveBuffer) throws IOException {
        socket = new Socket();
        if (receiveBuffer > 0) {
            socket.setReceiveBufferSize(receiveBuffer);
        }
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        in = new DataInputStream(new java.io.BufferedInputStream(socket.getInputStream(), 1024));
    }

    RawClient(int port) throws IOException {
        this(port, 0);
    }

    static RawClient upgraded(int port, String path) throws IOException {
        RawClient client = new RawClient(port);
        client.send(upgrade(path));
        String head = client.head();
        if (!head.startsWith("HTTP/1.1 101 ")) {
            throw new IOException("not upgraded: " + head);
        }
        return client;
    }

    static String upgrade(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: test\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n"
                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    }

    static String get(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: test\r\n\r\n";
    }

    static byte[] frame(boolean fin, int opcode, byte[] payload) {
        int length = payload.length;
        ByteBuffer frame = ByteBuffer.allocate(14 + length).put((byte) ((fin ? 0x80 : 0) | opcode));
        if (length < 126) {
            frame.put((byte) (0x80 | length));
        } else if (length < 65_536) {
            frame.put((byte) 0xfe).putShort((short) length);
        } else {
            frame.put((byte) 0xff).putLong(length);
        }
        frame.put(MASK);
        for (int i = 0; i < length; i++) {
            frame.put((byte) (payload[i] ^ MASK[i % 4]));
        }
        byte[] bytes = new byte[frame.flip().remaining()];
        frame.get(bytes);
        return bytes;
    }

    static byte[] text(String text) {
        return frame(true, 1, text.getBytes(StandardCharsets.UTF_8));
    }

    void send(String ascii) throws IOException {
        send(ascii.getBytes(StandardCharsets.US_ASCII));
    }

    void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    /** A response's status line and headers; the body is not read yet. */
    String head() throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.US_ASCII).endsWith("\r\n\r\n")) {
            head.write(in.readUnsignedByte());
        }
        return head.toString(StandardCharsets.US_ASCII);
    }

    /** A whole response; one without Content-Length ends with the connection. */
    String response() throws IOException {
        String head = head();
        for (String line : head.split("\r\n", -1)) {
            if (line.toLowerCase(java.util.Locale.ROOT).startsWith("content-length:")) {
                byte[] body = in.readNBytes(Integer.parseInt(line.substring(15).trim()));
                return head + new String(body, StandardCharsets.UTF_8);
            }
        }
        return head + new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }

    Frame frame() throws IOException {
        int first = in.readUnsignedByte();
        int second = in.readUnsignedByte();
        long length = second;
        if (second == 126) {
            length = in.readUnsignedShort();
        } else if (second == 127) {
            length = in.readLong();
        }
        return new Frame(first & 0x0f, in.readNBytes((int) length));
    }

    /** Whether the connection ends, in order or not, and nothing more comes. */
    boolean ends() throws IOException {
        try {
            return in.read() < 0;
        } catch (SocketException reset) {
            return true;
        }
    }

    byte[] rest() throws IOException {
        return in.readAllBytes();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
