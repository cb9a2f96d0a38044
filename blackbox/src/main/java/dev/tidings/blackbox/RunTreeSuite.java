package dev.tidings.blackbox;

import static dev.tidings.blackbox.WatchSocket.type;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** Run trees: one stream of journals, state and progress; child runs, plans, and runs that wait. */
abstract class RunTreeSuite extends Suite {

    /** Law 1, over a tree: replay and live join without gap or repeat. */
    @Test
    void journal_subscribedAtAnyMoment_isWhole() {
        SignedClient owner = newAccount();
        String session = owner.newSession();
        WatchSocket account = watchAccount(owner);
        String root = Trees.begin(owner, session, "/journal 40", account);
        WatchSocket live = owner.open();
        JsonNode subscribed = live.subscribe("runs/" + root);
        assertEquals("runs/" + root, subscribed.get("key").asText());
        assertTrue(subscribed.has("epoch") && subscribed.has("cursor"), subscribed::toString);
        Trees.awaitJournal(live, root, 20);
        WatchSocket middle = owner.open();
        middle.subscribe("runs/" + root, 10);
        Trees.awaitRun(account, root, "succeeded");
        WatchSocket late = owner.open();
        late.subscribe("runs/" + root);
        for (WatchSocket socket : List.of(live, middle, late)) {
            Trees.awaitJournal(socket, root, 40);
        }
        assertEquals(LongStream.rangeClosed(1, 40).boxed().toList(), Trees.journal(live, root));
        assertEquals(LongStream.rangeClosed(11, 40).boxed().toList(), Trees.journal(middle, root));
        assertEquals(LongStream.rangeClosed(1, 40).boxed().toList(), Trees.journal(late, root));
        assertTrue(
                account.frames().stream().noneMatch(frame -> type(frame).equals("append")),
                "an account gets no journal");

        JsonNode journal = owner.call("GetRunJournal", Map.of("runId", root, "afterSeq", 38));
        assertEquals(2, journal.get("entries").size());
        assertEquals(39, journal.get("entries").get(0).get("seq").asLong());
    }

    @Test
    void progress_isShownLiveAndNotReplayed() {
        SignedClient owner = newAccount();
        String session = owner.newSession();
        WatchSocket account = watchAccount(owner);
        String root = Trees.begin(owner, session, "/journal 200", account);
        WatchSocket live = owner.open();
        live.subscribe("runs/" + root);
        Trees.awaitRun(live, root, "succeeded");
        Trees.awaitJournal(live, root, 200);
        assertTrue(
                live.frames().stream()
                        .anyMatch(frame -> frame.path("patch").has("progress")
                                && frame.path("runId").asText().equals(root)),
                "no progress was shown");
        WatchSocket late = owner.open();
        late.subscribe("runs/" + root);
        Trees.awaitJournal(late, root, 200);
        assertTrue(late.frames().stream().noneMatch(frame -> frame.has("patch")));
    }

    @Test
    void child_hasASessionOfItsOwnAndShowsInTheTree() {
        SignedClient owner = newAccount();
        String session = owner.newSession();
        WatchSocket account = watchAccount(owner);
        String root = Trees.begin(owner, session, "/child hello there", account);
        WatchSocket tree = owner.open();
        tree.subscribe("runs/" + root);
        JsonNode child = tree.await(frame -> isRun(frame, "succeeded")
                        && frame.at("/value/parentRunId").asText().equals(root))
                .get("value");
        assertEquals(1, child.get("depth").asInt());
        assertEquals(root, child.get("rootRunId").asText());
        Trees.awaitRun(tree, root, "succeeded");

        String childSession = child.get("sessionId").asText();
        assertNotEquals(session, childSession);
        WatchSocket transcript = owner.open();
        transcript.subscribe("sessions/" + childSession);
        JsonNode state = transcript.await(frame -> type(frame).equals("change")).get("value");
        assertEquals(session, state.get("parentSessionId").asText());
        assertEquals(
                "hello there",
                transcript.awaitSeq(childSession, 1).at("/event/event/content").asText());
        assertTrue(owner.call("GetSession", Map.of("sessionId", session))
                        .at("/session/childSessionCount")
                        .asInt()
                > 0);

        // The observed server leaves a child's key dead; here it shows the whole tree under the key that was asked for.
        WatchSocket byChild = owner.open();
        assertEquals(
                "subscribed", type(byChild.subscribe("runs/" + child.get("id").asText())));
        byChild.await(frame ->
                isRun(frame, "succeeded") && frame.at("/value/id").asText().equals(root));
        assertTrue(byChild.frames().stream()
                .filter(frame -> frame.has("value"))
                .allMatch(frame -> frame.get("key")
                        .asText()
                        .equals("runs/" + child.get("id").asText())));
        assertEquals(
                2, owner.call("ListRuns", Map.of("rootRunId", root)).get("runs").size());
    }

    @Test
    void tool_asksForApproval_andWaitsUntilItIsStopped() {
        SignedClient owner = newAccount();
        String session = owner.newSession();
        WatchSocket account = watchAccount(owner);
        WatchSocket transcript = owner.open();
        transcript.subscribe("sessions/" + session);
        String root = Trees.begin(owner, session, "/tool hammer", account);
        JsonNode waiting = Trees.awaitRun(account, root, "waiting").get("value");
        assertTrue(waiting.has("wait"), waiting::toString);
        transcript.await(frame -> type(frame).equals("append")
                && frame.toString().contains("hammer")
                && !frame.at("/event/event/type").asText().equals("message"));
        assertTrue(
                owner.call("CancelRun", Map.of("runId", root)).get("canceled").asBoolean());
        Trees.awaitRun(account, root, "canceled");
        transcript.await(frame -> isStatus(frame, session, "idle")
                && frame.at("/value/updatedAt").asLong()
                        >= waiting.get("updatedAt").asLong());
        assertFalse(
                owner.call("CancelRun", Map.of("runId", root)).get("canceled").asBoolean());
        assertTrue(
                transcript.frames().stream()
                        .noneMatch(
                                frame -> frame.at("/event/event/type").asText().equals("tool_result")),
                "what was not approved did not run");
    }

    @Test
    void plan_isWorkedOffInTheRunAndItsSession() {
        SignedClient owner = newAccount();
        String session = owner.newSession();
        WatchSocket account = watchAccount(owner);
        WatchSocket transcript = owner.open();
        transcript.subscribe("sessions/" + session);
        String root = Trees.begin(owner, session, "/plan 3", account);
        JsonNode ended = Trees.awaitRun(account, root, "succeeded").get("value");
        assertEquals(3, ended.at("/plan/steps").size(), ended::toString);
        ended.at("/plan/steps")
                .forEach(step -> assertEquals("done", step.get("status").asText()));
        JsonNode state = transcript
                .await(frame -> type(frame).equals("change")
                        && frame.at("/value/plan/steps/2/status").asText().equals("done"))
                .get("value");
        assertEquals(3, state.at("/plan/steps").size());
        // A state may be replaced by the next one before it is sent; none goes back.
        List<Long> done = transcript.frames().stream()
                .filter(frame -> frame.at("/value/plan").has("steps"))
                .map(RunTreeSuite::doneSteps)
                .toList();
        assertEquals(done.stream().sorted().toList(), done);
    }

    private static long doneSteps(JsonNode frame) {
        return StreamSupport.stream(frame.at("/value/plan/steps").spliterator(), false)
                .filter(step -> step.get("status").asText().equals("done"))
                .count();
    }

    private static WatchSocket watchAccount(SignedClient client) {
        WatchSocket account = client.open();
        account.subscribe("account/" + client.account());
        return account;
    }
}
