package dev.tidings.bench;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.List;

/** A floor or a peer: it sends everybody on {@code /watch} what it is told on {@code /publish}, and stores nothing. */
final class PeerTarget implements Target {
    private final String name;
    private final ServerProcess process;
    private final WebSocket control;

    PeerTarget(String name, ServerProcess process) {
        this.name = name;
        this.process = process;
        this.control = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(
                        URI.create(process.base().toString().replaceFirst("^http", "ws") + "/publish"),
                        new WebSocket.Listener() {})
                .join();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public URI base() {
        return process.base();
    }

    @Override
    public String path() {
        return "/watch";
    }

    @Override
    public long pid() {
        return process.pid();
    }

    @Override
    public long begin() {
        control.sendText("begin", true).join();
        return 0;
    }

    @Override
    public List<byte[]> subscriptions(long afterSeq) {
        return List.of("subscribe".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
    }

    @Override
    public void publish(int count, long at, int frameBytes) {
        control.sendText(count + " " + at + " " + frameBytes, true).join();
    }

    @Override
    public void close() {
        control.abort();
        process.close();
    }
}
