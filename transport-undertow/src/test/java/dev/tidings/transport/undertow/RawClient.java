package dev.tidings.transport.undertow;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A client with a small receive buffer that sees every frame; reads end after 20 s. */
final class RawClient implements Closeable {
    private final Socket socket = new Socket();
    private final DataInputStream in;
    private final String head;

    /** What came: the first byte whole, with the bits that extensions use. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Frame(int first, byte[] payload) {
        String text() {
            return new String(payload, StandardCharsets.UTF_8);
        }
    }

    RawClient(int port, String... headers) throws IOException {
        socket.setReceiveBufferSize(4096);
        socket.setSoTimeout(20_000);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 1024));
        String more = headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n";
        send(("GET /held HTTP/1.1\r\nHost: test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" + more
                        + "\r\n")
                .getBytes(StandardCharsets.US_ASCII));
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        while (!read.toString(StandardCharsets.US_ASCII).endsWith("\r\n\r\n")) {
            read.write(in.readUnsignedByte());
        }
        head = read.toString(StandardCharsets.US_ASCII);
        if (!head.startsWith("HTTP/1.1 101 ")) {
            throw new IOException("not upgraded: " + head);
        }
    }

    String head() {
        return head;
    }

    void ping() throws IOException {
        send(new byte[] {(byte) 0x89, (byte) 0x80, 0, 0, 0, 0});
    }

    private void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    Frame frame() throws IOException {
        int first = in.readUnsignedByte();
        int length = in.readUnsignedByte();
        if (length == 126) {
            length = in.readUnsignedShort();
        } else if (length == 127) {
            length = (int) in.readLong();
        }
        return new Frame(first, in.readNBytes(length));
    }

    byte[] rest() throws IOException {
        return in.readAllBytes();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
