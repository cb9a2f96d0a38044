package dev.tidings.servers.backend;

import static dev.tidings.servers.backend.Backend.watching;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidings.blackbox.SignedClient;
import dev.tidings.blackbox.WatchSocket;
import dev.tidings.servers.DeployedContract;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A backend that keeps everything in tables of its own, without {@code tidings-jpa}: what it says is shown live and
 * replayed.
 *
 * <p>Threads: as many as speak at once. The deployment, {@link #war}, is the subclass's.
 */
public abstract class OwnTablesContract extends DeployedContract {

    private @Nullable Backend backend;

    /** The WAR as it was built, which holds none of Tidings' own tables. */
    protected static WebArchive war() {
        WebArchive war = Backend.war("own-tables.war", "chat.war");
        if (!war.getContent(path -> path.get().contains("tidings-jpa")).isEmpty()) {
            throw new AssertionError("tidings-jpa is in the WAR");
        }
        return war;
    }

    @BeforeEach
    void connect() {
        backend = new Backend(deployment());
    }

    /** Laws 1 and 12. */
    @Test
    void lines_spoken_areLiveAndReplayed() {
        SignedClient owner = SignedClient.newAccount(backend().base());
        String chat = chatOf(owner, "Trains");
        say(chat, "first");
        WatchSocket early = watching(owner, chat, 0);
        say(chat, "second");
        say(chat, "third");
        early.awaitSeq(chat, 3);
        WatchSocket late = watching(owner, chat, 1);
        late.awaitSeq(chat, 3);

        assertEquals(List.of("first", "second", "third"), words(early, chat));
        assertEquals(early.appends(chat).subList(1, 3), late.appends(chat));
        JsonNode sessions = owner.call("ListSessions", Map.of());
        assertEquals("Trains", sessions.at("/sessions/0/title").asText(), sessions::toString);
    }

    /** Law 2. */
    @Test
    void line_withdrawn_isNeverShown() {
        SignedClient owner = SignedClient.newAccount(backend().base());
        String chat = chatOf(owner, "Doubts");
        WatchSocket live = watching(owner, chat, 0);
        say(chat, "sure");
        assertEquals(
                500,
                backend()
                        .tryToPost("/rest/chats/" + chat + "/withdrawn?words=unsure", "")
                        .statusCode());
        say(chat, "sure again");
        live.awaitSeq(chat, 2);
        assertEquals(List.of("sure", "sure again"), words(live, chat));
    }

    /** Laws 1 and 3: several speak at once, and everybody is heard in the order of the commits. */
    @Test
    void lines_ofManyAtOnce_haveNoHole() {
        SignedClient owner = SignedClient.newAccount(backend().base());
        String chat = chatOf(owner, "Noise");
        WatchSocket live = watching(owner, chat, 0);
        CompletableFuture<?>[] speakers = IntStream.range(0, 4)
                .mapToObj(speaker -> CompletableFuture.runAsync(() -> {
                    for (int i = 0; i < 10; i++) {
                        say(chat, speaker + "-" + i);
                    }
                }))
                .toArray(CompletableFuture[]::new);
        CompletableFuture.allOf(speakers).join();
        live.awaitSeq(chat, 40);
        WatchSocket late = watching(owner, chat, 0);
        late.awaitSeq(chat, 40);
        assertEquals(LongStream.rangeClosed(1, 40).boxed().toList(), live.seqs(chat));
        assertEquals(live.appends(chat), late.appends(chat));
    }

    /** Law 6. */
    @Test
    void stranger_subscribes_isRefused() {
        SignedClient owner = SignedClient.newAccount(backend().base());
        String chat = chatOf(owner, "Secrets");
        WatchSocket socket = SignedClient.newAccount(backend().base()).open();
        assertEquals("error", WatchSocket.type(socket.subscribe("sessions/" + chat)));
    }

    /** Without the ports for writing there is no action that writes, and none that half works. */
    @Test
    void actions_thatWrite_areUnknown() {
        SignedClient owner = SignedClient.newAccount(backend().base());
        String chat = chatOf(owner, "Silence");
        for (Map.Entry<String, Map<String, ?>> action : Map.<String, Map<String, ?>>of(
                        "CreateSession",
                        Map.of("agentId", chat),
                        "MessageSession",
                        Map.of("sessionId", chat, "content", List.of()),
                        "DeleteAgent",
                        Map.of("agentId", chat))
                .entrySet()) {
            var answer = owner.send(action.getKey(), action.getValue());
            assertEquals(
                    "unknown_action",
                    answer.body().path("code").asText(),
                    () -> action.getKey() + ": " + answer.body());
        }
        assertTrue(owner.call("ListAgents", Map.of()).path("agents").size() > 0);
    }

    private String chatOf(SignedClient owner, String title) {
        return backend().post("/rest/chats?owner=" + owner.account() + "&title=" + title);
    }

    private void say(String chat, String words) {
        String encoded = URLEncoder.encode(words, StandardCharsets.UTF_8);
        backend().post("/rest/chats/" + chat + "/lines?speaker=someone&words=" + encoded);
    }

    private static List<String> words(WatchSocket socket, String chat) {
        return socket.appends(chat).stream()
                .map(event -> event.at("/event/words").asText())
                .toList();
    }

    private Backend backend() {
        return Objects.requireNonNull(backend);
    }
}
