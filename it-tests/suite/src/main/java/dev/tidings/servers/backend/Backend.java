package dev.tidings.servers.backend;

import dev.tidings.blackbox.SignedClient;
import dev.tidings.blackbox.WatchSocket;
import dev.tidings.servers.probe.AnnouncingListener;
import dev.tidings.servers.probe.PortDiary;
import dev.tidings.servers.probe.QueueResource;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/**
 * A deployed backend, as its callers see it, and the WARs that it is made of.
 *
 * <p>Threads: safe for use by many threads. Errors: no answer within a minute throws.
 */
public final class Backend {

    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final URI base;

    Backend(URI deployment) {
        if (!"127.0.0.1".equals(deployment.getHost())) {
            throw new AssertionError("the server listens to the world: " + deployment);
        }
        this.base = URI.create(deployment.toString().replaceFirst("/$", ""));
    }

    /** The sample backend as it was built. */
    public static WebArchive war(String name) {
        return war("backend.war", name);
    }

    /** The WAR whose path is in a system property. */
    static WebArchive war(String property, String name) {
        String file = Objects.requireNonNull(System.getProperty(property), property);
        return ShrinkWrap.create(org.jboss.shrinkwrap.api.importer.ZipImporter.class, name)
                .importFrom(new File(file))
                .as(WebArchive.class);
    }

    /** The sample backend with everything in it that these tests ask. */
    public static WebArchive probedWar(String name) {
        return war(name).addPackage(PortDiary.class.getPackage());
    }

    /** The same without what a server without queues cannot deploy. */
    public static WebArchive probedWarWithoutQueues(String name) {
        return probedWar(name).deleteClasses(AnnouncingListener.class, QueueResource.class);
    }

    /** Where it is, without a slash at the end. */
    public URI base() {
        return base;
    }

    /** Posts, and gives the body of a success. */
    String post(String path) {
        HttpResponse<String> response = tryToPost(path, "");
        if (response.statusCode() / 100 != 2) {
            throw new AssertionError(path + " answered " + response.statusCode());
        }
        return response.body();
    }

    /** Posts JSON, or nothing. */
    public HttpResponse<String> tryToPost(String path, String json) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path));
        if (json.isEmpty()) {
            request.POST(HttpRequest.BodyPublishers.noBody());
        } else {
            request.header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofString(json));
        }
        return send(request);
    }

    /** Gets the body of a success. */
    public String get(String path) {
        HttpResponse<String> response =
                send(HttpRequest.newBuilder(URI.create(base + path)).GET());
        if (response.statusCode() != 200) {
            throw new AssertionError(path + " answered " + response.statusCode());
        }
        return response.body();
    }

    /** What a page answers, whichever application it is of. */
    static int statusOf(URI page) {
        return send(HttpRequest.newBuilder(page).GET()).statusCode();
    }

    /** Asks a page so often at once; it answers when all of them are there. */
    void together(String path, int times) {
        String query = "?round=" + UUID.randomUUID() + "&of=" + times;
        List<CompletableFuture<HttpResponse<String>>> answers = IntStream.range(0, times)
                .mapToObj(i -> HTTP.sendAsync(
                        HttpRequest.newBuilder(URI.create(base + path + query))
                                .timeout(Duration.ofMinutes(1))
                                .build(),
                        HttpResponse.BodyHandlers.ofString()))
                .toList();
        answers.forEach(answer -> {
            int status = answer.join().statusCode();
            if (status != 200) {
                throw new AssertionError(path + " answered " + status + ", one of " + times);
            }
        });
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return HTTP.send(request.timeout(Duration.ofMinutes(1)).build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** A socket that watches a session. */
    static WatchSocket watching(SignedClient client, String session, long afterSeq) {
        WatchSocket socket = client.open();
        if (!"subscribed".equals(WatchSocket.type(socket.subscribe("sessions/" + session, afterSeq)))) {
            throw new AssertionError("not subscribed: " + socket.frames());
        }
        return socket;
    }

    /** The subjects of the tickets that a socket has shown, in order. */
    static List<String> subjects(WatchSocket socket, String session) {
        return socket.appends(session).stream()
                .map(event -> event.at("/event/subject").asText())
                .toList();
    }
}
