package dev.tidings.protocol.conversations;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.RunStatus;
import dev.tidings.SessionInfo;
import dev.tidings.event.RunChanged;
import dev.tidings.event.SessionChanged;
import dev.tidings.event.SessionDeleted;
import dev.tidings.event.Signal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Law 4: what waits for its number is bounded, whatever it is. Threads: one. */
class BacklogTest {
    private static final int MOST = 20_000;

    private final Backlog backlog = new Backlog();

    private static RunChanged run(String id, RunStatus status, long version) {
        return new RunChanged(ConversationsWorld.run(id, null, "s", status), version, version == 1);
    }

    private static SessionChanged session(String id, long version) {
        return new SessionChanged(SessionInfo.idle(id, "owner", "a", "v" + version, 1), version, version == 1);
    }

    private static Signal.Partial piece(String partial) {
        return Signal.Partial.text("s", partial, "x");
    }

    private void fill() {
        for (int i = backlog.size(); i < MOST; i++) {
            backlog.add(piece("fill"));
        }
    }

    private List<Object> takeAll() {
        List<Object> all = new ArrayList<>();
        for (Object next = backlog.peekOrNull(); next != null; next = backlog.peekOrNull()) {
            all.add(next);
            backlog.remove();
        }
        assertEquals(0, backlog.bytes());
        return all;
    }

    private static <T> List<T> of(List<Object> all, Class<T> type) {
        return all.stream().filter(type::isInstance).map(type::cast).toList();
    }

    @Test
    void changes_whileThereIsRoom_areAllKept() {
        for (int i = 1; i <= 3; i++) {
            backlog.add(run("r", RunStatus.RUNNING, i));
            backlog.add(session("s", i));
        }
        assertEquals(6, takeAll().size());
    }

    @Test
    void changes_beyondTheBound_areTheLastOfEachRunAndSession() {
        backlog.add(run("before", RunStatus.QUEUED, 1));
        fill();
        for (int i = 1; i <= 1_000; i++) {
            backlog.add(run("r", i < 1_000 ? RunStatus.RUNNING : RunStatus.SUCCEEDED, i));
            backlog.add(session("s", i));
            backlog.add(run("before", RunStatus.RUNNING, i + 1));
        }
        assertEquals(MOST + 2, backlog.size());
        List<Object> all = takeAll();
        List<RunChanged> runs = of(all, RunChanged.class);
        assertEquals(
                List.of(1_001L, 1_000L), runs.stream().map(RunChanged::version).toList());
        assertSame(all.get(0), runs.get(0), "where the first one stood");
        assertEquals(RunStatus.SUCCEEDED, runs.get(1).value().status());
        SessionChanged session = of(all, SessionChanged.class).get(0);
        assertEquals("v1000", session.value().title());
        assertTrue(session.created(), "one of them made it");
    }

    @Test
    void changes_swapped_leaveTheLater() {
        fill();
        backlog.add(run("r", RunStatus.SUCCEEDED, 7));
        backlog.add(run("r", RunStatus.RUNNING, 6));
        backlog.add(session("s", 7));
        backlog.add(session("s", 6));
        List<Object> all = takeAll();
        assertEquals(7, of(all, RunChanged.class).get(0).version());
        assertEquals(7, of(all, SessionChanged.class).get(0).version());
    }

    /** What is being worked on is changed no more; what comes then waits by itself. */
    @Test
    void change_beingWorkedOn_isNotReplaced() {
        backlog.add(run("r", RunStatus.QUEUED, 1));
        fill();
        RunChanged first = (RunChanged) backlog.peekOrNull();
        backlog.add(run("r", RunStatus.RUNNING, 2));
        assertNotNull(first);
        assertEquals(1, first.version());
        backlog.remove();
        assertEquals(2, of(takeAll(), RunChanged.class).get(0).version());
    }

    @Test
    void everything_twiceTheBound_onlyDeletionsAreAdded() {
        fill();
        for (int i = 0; i < 2 * MOST; i++) {
            backlog.add(run("r" + i, RunStatus.RUNNING, 1));
            backlog.add(session("s" + i, 1));
            backlog.add(new Backlog.Hint("h" + i, 1));
            backlog.add(piece("p" + i));
            backlog.add(Signal.Partial.done("s", "p" + i));
        }
        assertEquals(2 * MOST, backlog.size());
        backlog.add(new SessionDeleted("gone", "a", Set.of()));
        assertEquals(1, of(takeAll(), SessionDeleted.class).size());
        assertNull(backlog.peekOrNull());
    }

    /** A prefix of a text is allowed, a hole is not, not even before its end. */
    @Test
    void text_cut_staysCutToItsEnd() {
        fill();
        backlog.add(piece("p"));
        takeAll();
        backlog.add(piece("p"));
        backlog.add(new Signal.Partial("s", "p", "end", true, null, null));
        backlog.add(piece("p"));
        assertEquals(List.of(piece("p")), takeAll(), "another text of that name");
    }

    /** Law 12: what happened between two entries stays between them. */
    @Test
    void hints_somethingOfTheirSessionBetween_areTwo() {
        backlog.add(new Backlog.Hint("s", 3));
        backlog.add(piece("p"));
        backlog.add(new Backlog.Hint("s", 7));
        List<Object> all = takeAll();
        assertEquals(3, all.size());
        assertEquals(piece("p"), all.get(1));
        assertEquals(
                List.of(3L, 7L),
                of(all, Backlog.Hint.class).stream().map(Backlog.Hint::upTo).toList());
    }

    @Test
    void hints_ofOneSession_areOne() {
        backlog.add(new Backlog.Hint("s", 3));
        backlog.add(new Backlog.Hint("s", 7));
        backlog.add(new Backlog.Hint("s", 5));
        List<Object> all = takeAll();
        assertEquals(
                List.of(7L),
                of(all, Backlog.Hint.class).stream().map(Backlog.Hint::upTo).toList());
    }
}
