package dev.tidings.bench;

import dev.tidings.blackbox.SignedClient;
import dev.tidings.envelope.CborValue;
import dev.tidings.envelope.Checked;
import dev.tidings.envelope.DagCbor;
import dev.tidings.envelope.EnvelopeLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tidings, wherever it runs; a row of events is a session. */
final class TidingsTarget implements Target {
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final String name;
    private final URI base;
    private final long pid;
    private final Optional<Postgresql> database;
    private final Runnable end;
    private final SignedClient account;
    // Confined: who measures.
    private String session = "";

    TidingsTarget(String name, URI base, long pid, Optional<Postgresql> database, Runnable end) {
        this.name = name;
        this.base = base;
        this.pid = pid;
        this.database = database;
        this.end = end;
        this.account = SignedClient.newAccount(base);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public URI base() {
        return base;
    }

    @Override
    public String path() {
        return base.getPath() + "/agents/ws";
    }

    @Override
    public long pid() {
        return pid;
    }

    /** The database server of this run, if it has one of its own. */
    Optional<Postgresql> database() {
        return database;
    }

    SignedClient account() {
        return account;
    }

    @Override
    public long begin() {
        session = account.newSession();
        return 0;
    }

    @Override
    public List<byte[]> subscriptions(long afterSeq) {
        return List.of(subscription(session, afterSeq));
    }

    @Override
    public void publish(int count, long at, int frameBytes) {
        append(List.of(session), count, at, frameBytes, false);
    }

    /**
     * Has entries appended to each of some sessions of this account, all in one transaction.
     *
     * @return nanoseconds that the transaction took, from its begin to its end
     */
    long append(List<String> sessions, int count, long at, int frameBytes, boolean deltas) {
        byte[] answer = post(account.signed(
                "BenchAppend",
                Map.of("sessionIds", sessions, "count", count, "at", at, "bytes", frameBytes, "deltas", deltas)));
        if (DagCbor.decode(answer, EnvelopeLimits.DEFAULT) instanceof Checked.Accepted<CborValue> reply
                && reply.value() instanceof CborValue.MapValue members
                && members.members().get("nanos") instanceof CborValue.IntegerValue nanos) {
            return nanos.value().longValueExact();
        }
        throw new IllegalStateException("BenchAppend in the server is an older one");
    }

    /** So many sessions of one agent. */
    List<String> newSessions(int count) {
        String agent = account.newAgent();
        List<String> sessions = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            sessions.add(account.newSession(agent));
        }
        return sessions;
    }

    /** The message that subscribes to a session. */
    byte[] subscription(String toSession, long afterSeq) {
        return account.signed("Subscribe", Map.of("key", "sessions/" + toSession, "afterSeq", afterSeq));
    }

    private byte[] post(byte[] action) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(base + "/agents/api/message"))
                .header("content-type", "application/cbor")
                .POST(BodyPublishers.ofByteArray(action))
                .build();
        try {
            HttpResponse<byte[]> response = HTTP.send(request, BodyHandlers.ofByteArray());
            if (response.statusCode() != 200) {
                throw new IllegalStateException("answered " + response.statusCode() + ": "
                        + new String(response.body(), StandardCharsets.UTF_8) + " (is BenchAppend in the server?)");
            }
            return response.body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        end.run();
    }
}
