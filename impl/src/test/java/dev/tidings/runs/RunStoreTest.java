package dev.tidings.runs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.AgentInfo;
import dev.tidings.Payload;
import dev.tidings.SessionInfo;
import dev.tidings.spi.ChildRun;
import dev.tidings.spi.DirectoryWriter;
import dev.tidings.testkit.InMemoryTidings;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The order in which the transactions of runs take rows. */
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

    /** A deletion takes the runs of a tree parents first: two that take them in opposite orders wait for each other. */
    @Test
    void claim_ofAChild_takesTheParentFirst() {
        tidings.transactions().run(() -> {
            tidings.directoryWriter()
                    .create(new AgentInfo(
                            "a", "owner", Payload.of("{}"), null, AgentInfo.AgentStatus.IDLE, 1, 1, false));
            tidings.directoryWriter().create(SessionInfo.idle("s", "owner", "a", null, 1));
        });
        store.ask(new UserMessage("s", "hi", Payload.of("{}"), "hi"), run -> {});
        RunStore.Claim parent = store.claim("s", claim -> {}).orElseThrow();
        Child child = store.newChild(new ChildRun("agent", "part", "do", null));
        store.start(parent, child);
        runsTaken.clear();

        assertTrue(store.claim(child.sessionId(), claim -> {}).isPresent());

        assertEquals(
                List.of(parent.run().id(), child.runId()),
                runsTaken.stream().distinct().toList());
    }
}
