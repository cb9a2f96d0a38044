package dev.tidings.blackbox;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** Requests written by hand, with headers that a client library does not let one set. */
final class RawUpgrade {
    private static final int PATIENCE_MILLIS = 30_000;

    private RawUpgrade() {}

    /** The status that a handshake is answered with. */
    static int status(URI base, String path, Map<String, String> headers) {
        Map<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        all.put("Upgrade", "websocket");
        all.put("Connection", "Upgrade");
        all.put("Sec-WebSocket-Version", "13");
        all.put("Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAAAA==");
        all.putAll(headers);
        return status(base, "GET", path, all);
    }

    /** The status that a request without a body is answered with. */
    static int status(URI base, String method, String path, Map<String, String> headers) {
        Map<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        all.put("Host", base.getHost() + ":" + base.getPort());
        if (!method.equals("GET")) {
            all.put("Content-Length", "0");
        }
        all.putAll(headers);
        StringBuilder request = new StringBuilder(method + " " + base.getPath() + path + " HTTP/1.1\r\n");
        all.forEach(
                (name, value) -> request.append(name).append(": ").append(value).append("\r\n"));
        try (Socket socket = new Socket(base.getHost(), base.getPort())) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.getOutputStream().write(request.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII));
            BufferedReader reader =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            String line = reader.readLine();
            if (line == null || !line.startsWith("HTTP/1.1 ")) {
                throw new AssertionError("no answer: " + line);
            }
            return Integer.parseInt(line.substring(9, 12));
        } catch (IOException e) {
            throw new AssertionError("no answer", e);
        }
    }
}
