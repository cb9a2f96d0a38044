package dev.tidings.runs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.AgentInfo;
import dev.tidings.FencedException;
import dev.tidings.Payload;
import dev.tidings.RunInfo;
import dev.tidings.SessionInfo;
import dev.tidings.spi.ChildRun;
import dev.tidings.spi.DirectoryWriter;
import dev.tidings.spi.RunPlan;
import dev.tidings.testkit.InMemoryTidings;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the transactions of runs take and change: the order of the rows, and the rights to them. */
class RunStoreTest {

    private final InMemoryTidings tidings = new InMemoryTidings();
    private final List<Object> runsTaken = new ArrayList<>();
    private final RunStore store = new RunStore(
            new RunEngine.Ports(
                    tidings.transactions(),
                    tidings.directory(),
                    recording(tidings.directoryWriter()),
                    tidings.ledger(),
                    tidings.log(),
                    tidings.writer(),
                    tidings.approvals()),
            "node",
            InstantSource.system());

    private DirectoryWriter recording(DirectoryWriter real) {
        return (DirectoryWriter) Proxy.newProxyInstance(
                RunStoreTest.class.getClassLoader(),
                new Class<?>[] {DirectoryWriter.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("changeRun")) {
                        runsTaken.add(arguments[0]);
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private RunStore.Claim claimed() {
        tidings.transactions().run(() -> {
            tidings.directoryWriter()
                    .create(new AgentInfo(
                            "a", "owner", Payload.of("{}"), null, AgentInfo.AgentStatus.IDLE, 1, 1, false));
            tidings.directoryWriter().create(SessionInfo.idle("s", "owner", "a", null, 1));
        });
        store.ask(new UserMessage("s", "hi", Payload.of("{}"), "hi"), run -> {});
        return store.claim("s", claim -> {}).orElseThrow();
    }

    /** Law 10: whoever lost a run changes nothing of it any more, also where no entry is stored. */
    @Test
    void changes_otherNodeTookTheRun_areRefused() {
        RunStore.Claim claim = claimed();
        tidings.transactions().run(() -> tidings.ledger().take(claim.run().id(), "other"));
        assertNothingIsChanged(claim);
    }

    /** Law 10: nor of a run that has ended. */
    @Test
    void changes_runHasEnded_areRefused() {
        RunStore.Claim claim = claimed();
        RunStore.Ending ending =
                new RunStore.Ending(new Outcome.Canceled(), TextLine.Pieces.NONE, null, null, null, false);
        assertTrue(store.end(claim.run(), claim.fence(), ending));
        assertNothingIsChanged(claim);
    }

    private void assertNothingIsChanged(RunStore.Claim claim) {
        RunInfo before = tidings.directory().run(claim.run().id()).orElseThrow().value();
        assertThrows(FencedException.class, () -> store.waiting(claim.fence(), Payload.of("{}")));
        assertThrows(FencedException.class, () -> store.resume(claim.fence()));
        assertThrows(FencedException.class, () -> store.plan(claim, new RunPlan("plan", List.of())));
        assertEquals(
                before, tidings.directory().run(claim.run().id()).orElseThrow().value());
    }

    /** A deletion takes the runs of a tree parents first: two that take them in opposite orders wait for each other. */
    @Test
    void claim_ofAChild_takesTheParentFirst() {
        RunStore.Claim parent = claimed();
        Child child = store.newChild(new ChildRun("agent", "part", "do", null));
        store.start(parent, child);
        runsTaken.clear();

        assertTrue(store.claim(child.sessionId(), claim -> {}).isPresent());

        assertEquals(
                List.of(parent.run().id(), child.runId()),
                runsTaken.stream().distinct().toList());
    }
}
