package dev.tidings.servers.backend;

import static dev.tidings.servers.backend.Backend.subjects;
import static dev.tidings.servers.backend.Backend.watching;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidings.blackbox.SignedClient;
import dev.tidings.blackbox.WatchSocket;
import dev.tidings.servers.DeployedContract;
import dev.tidings.servers.probe.Announcer;
import dev.tidings.servers.probe.ThrowingListeners;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a backend may rely on in its server: whoever fires events in whatever transaction, only what commits is shown, in
 * order; and its beans are called on managed threads, in a request.
 *
 * <p>Threads: one. The deployment, {@link Backend#probedWar}, is the subclass's.
 */
public abstract class BackendContract extends DeployedContract {

    private @Nullable Backend backend;

    @BeforeEach
    void connect() {
        backend = new Backend(deployment());
    }

    /** From where events are fired; a server without queues leaves the last one out. */
    protected List<String> sources() {
        return List.of("servlet", "rest", "timer", "executor", "jms");
    }

    /** The names, with N for each number, of the threads on which the server itself calls: requests and deployments. */
    protected abstract Pattern requestAndStartThreads();

    /** Laws 1, 2 and 3: from a servlet, a REST resource, a timer, a managed executor and a listener to a queue. */
    @Test
    void events_ofEveryKindOfCaller_arriveInOrder() {
        SignedClient owner = SignedClient.newAccount(backend().base());
        String session = owner.newSession();
        WatchSocket socket = watching(owner, session, 0);
        socket.subscribe("account/" + owner.account());
        List<String> expected = new ArrayList<>();

        for (String source : sources()) {
            String path = source.equals("servlet") ? "/announce/servlet" : "/desk/announce/" + source;
            backend().post(path + "?session=" + session + "&account=" + owner.account());
            IntStream.rangeClosed(1, Announcer.TICKETS).forEach(i -> expected.add(source + ' ' + i));
            socket.awaitSeq(session, expected.size());
            socket.await(frame -> frame.at("/value/reason").asText().equals("from-" + source));
        }

        assertEquals(expected, subjects(socket, session));
        assertEquals(expected, subjects(watchingAll(owner, session, expected.size()), session));
    }

    /** Law 3: the inner transaction commits first, so its entry comes first. */
    @Test
    void nested_bothCommit_innerComesFirst() {
        transactionShows("both-commit", "committed", List.of("inner", "outer before", "outer behind"));
    }

    /** Law 2. */
    @Test
    void nested_outerRollsBack_onlyTheInnerIsShown() {
        transactionShows("outer-rolls-back", "rolled back", List.of("inner"));
    }

    /** Law 2. */
    @Test
    void nested_innerRollsBack_onlyTheOuterIsShown() {
        transactionShows("inner-rolls-back", "committed", List.of("outer before", "outer behind"));
    }

    /** Law 2: the server's reaper rolls back on a thread of its own, or marks what its owner then cannot commit. */
    @Test
    void transaction_timesOut_isNeverShown() {
        transactionShows("timeout", "rolled back", List.of());
    }

    /** Laws 2 and 12: whichever of the two wins, what is shown, what is stored and what the caller was told agree. */
    @Test
    void transaction_commitsWhileItTimesOut_isShownIfItCommitted() {
        SignedClient owner = SignedClient.newAccount(backend().base());
        for (int i = 0; i < 3; i++) {
            String session = owner.newSession();
            WatchSocket socket = watching(owner, session, 0);
            boolean committed = backend()
                    .post("/desk/transactions/" + session + "/timeout-race")
                    .equals("committed");
            List<String> expected = committed ? List.of("just in time", "last") : List.of("last");
            shows(owner, session, socket, expected);
        }
    }

    /** A commit stands, whatever is thrown behind it: the caller is told so, the row is there, and it is shown. */
    @Test
    void listeners_throwAfterTheCommit_itIsShownAndSucceeds() {
        transactionShows("listeners-throw", "committed", List.of(ThrowingListeners.AFTER));
    }

    /** Before the commit it is a reason to roll back, and then nothing is shown. */
    @Test
    void listener_throwsBeforeTheCommit_rollsBackAndIsNeverShown() {
        transactionShows("listener-throws-before", "rolled back", List.of());
    }

    private void transactionShows(String what, String outcome, List<String> subjects) {
        SignedClient owner = SignedClient.newAccount(backend().base());
        String session = owner.newSession();
        WatchSocket socket = watching(owner, session, 0);

        assertEquals(outcome, backend().post("/desk/transactions/" + session + '/' + what));

        List<String> expected = new ArrayList<>(subjects);
        expected.add("last");
        shows(owner, session, socket, expected);
    }

    /** Opens one more ticket, behind which nothing of before can come; then live, replay and rows are as expected. */
    private void shows(SignedClient owner, String session, WatchSocket live, List<String> expected) {
        backend().tryToPost("/desk/sessions/" + session + "/tickets", "{\"subject\":\"last\"}");
        live.awaitSeq(session, expected.size());
        assertEquals(expected, subjects(live, session));
        assertEquals(expected, subjects(watchingAll(owner, session, expected.size()), session));
        List<String> rows =
                parse(backend().get("/desk/sessions/" + session + "/tickets")).findValuesAsText("subject");
        assertEquals(expected.stream().sorted().toList(), rows);
    }

    private static WatchSocket watchingAll(SignedClient owner, String session, long lastSeq) {
        WatchSocket late = watching(owner, session, 0);
        late.awaitSeq(session, lastSeq);
        return late;
    }

    /**
     * Each kind of bean that Tidings calls finds a request; those that write, a transaction too; and none of them, nor any
     * work in the database, is on a thread that the server reads or writes its sockets with.
     */
    @Test
    void ports_called_haveARequestAndAManagedThread() {
        SignedClient owner = SignedClient.newAccount(backend().base());
        String session = owner.newSession();
        WatchSocket socket = watching(owner, session, 0);
        owner.message(session, "one two three");
        owner.call("ListAgentInvites", Map.of());
        owner.call("InvokeSessionTool", Map.of("sessionId", session, "verb", "read", "input", Map.of("a", "b")));
        assertFalse(SignedClient.newAccount(backend().base())
                        .actingFor(owner)
                        .send("ListAgents", Map.of())
                        .status()
                == 200);
        socket.awaitSeq(session, 4);

        JsonNode diary = parse(backend().get("/desk/diary"));

        for (String kind : List.of(
                "ActionHandler",
                "AgentRunner",
                "Directory",
                "EntityManager",
                "EventLog",
                "EventWriter",
                "Grants",
                "Receipts",
                "RunLedger",
                "SessionTools",
                "SignerAuthority")) {
            JsonNode page = diary.path(kind);
            assertTrue(page.path("calls").asInt() > 0, () -> kind + " was not called: " + diary);
            assertEquals(0, page.path("withoutRequest").asInt(), () -> kind + " had no request: " + diary);
            for (JsonNode thread : page.path("others")) {
                assertTrue(requestAndStartThreads().matcher(thread.asText()).matches(), () -> kind + ": " + diary);
            }
        }
        for (String kind : List.of("ActionHandler", "EventWriter")) {
            assertEquals(diary.at('/' + kind + "/calls"), diary.at('/' + kind + "/inTransaction"), diary::toString);
        }
        for (String kind : List.of("ActionHandler", "AgentRunner", "EventWriter", "SessionTools", "SignerAuthority")) {
            assertEquals(!virtualThreads(), diary.at('/' + kind + "/virtual").isEmpty(), () -> kind + ": " + diary);
        }
        for (String kind : List.of("AgentRunner", "SessionTools")) {
            assertEquals(0, diary.at('/' + kind + "/inTransaction").asInt(), diary::toString);
            assertTrue(diary.at('/' + kind + "/others").isEmpty(), diary::toString);
            assertEquals(virtualThreads(), diary.at('/' + kind + "/managed").isEmpty(), diary::toString);
        }
    }

    /** Whether the application gives Tidings a factory of virtual threads: then it works on no others. */
    protected boolean virtualThreads() {
        return false;
    }

    private static JsonNode parse(String json) {
        try {
            return new ObjectMapper().readTree(json);
        } catch (JsonProcessingException e) {
            throw new AssertionError("not JSON: " + json, e);
        }
    }

    /** Where the backend is. */
    protected final Backend backend() {
        return Objects.requireNonNull(backend);
    }
}
