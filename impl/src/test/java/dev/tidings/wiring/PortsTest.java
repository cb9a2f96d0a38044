package dev.tidings.wiring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.spi.AgentRunner;
import dev.tidings.spi.Approvals;
import dev.tidings.spi.Directory;
import dev.tidings.spi.DirectoryWriter;
import dev.tidings.spi.EventLog;
import dev.tidings.spi.EventWriter;
import dev.tidings.spi.Grants;
import dev.tidings.spi.GrantsWriter;
import dev.tidings.spi.Receipts;
import dev.tidings.spi.RunLedger;
import dev.tidings.spi.SignerAuthority;
import dev.tidings.spi.SignerWriter;
import dev.tidings.spi.Transactions;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A face whose ports are missing refuses to start and names them. */
class PortsTest {
    private static final List<Class<?>> NEEDED = List.of(
            EventLog.class,
            EventWriter.class,
            Directory.class,
            DirectoryWriter.class,
            Grants.class,
            GrantsWriter.class,
            RunLedger.class,
            Approvals.class,
            Receipts.class,
            Transactions.class);

    private final HandBeans beans = new HandBeans();

    private static Object stub(Class<?> port) {
        return HandThreads.proxy(port, (name, arguments) -> {
            throw new UnsupportedOperationException(name);
        });
    }

    private Ports ports(Object... there) {
        return new Ports(beans.of(there));
    }

    private static String refusal(Ports ports) {
        return String.valueOf(assertThrows(IllegalStateException.class, () -> ports.needed(false))
                .getMessage());
    }

    @Test
    void needed_allThere_areFound() {
        Object[] all = NEEDED.stream().map(PortsTest::stub).toArray();
        Ports.Needed needed = ports(all).needed(false);
        assertSame(all[0], needed.log());
        assertSame(all[1], needed.writer());
        assertSame(all[2], needed.directory());
        assertSame(all[3], needed.directoryWriter());
        assertSame(all[4], needed.grants());
        assertSame(all[5], needed.grantsWriter());
        assertSame(all[6], needed.ledger());
        assertSame(all[7], needed.approvals());
        assertSame(all[8], needed.receipts());
        assertSame(all[9], needed.transactions());
    }

    @Test
    void needed_oneMissing_itAloneIsNamed() {
        for (Class<?> missing : NEEDED) {
            Object[] others = NEEDED.stream()
                    .filter(port -> port != missing)
                    .map(PortsTest::stub)
                    .toArray();
            assertEquals(
                    "tidings.agents.enabled is true, but the application has no bean for " + missing.getSimpleName()
                            + "; add tidings-jpa or beans of your own",
                    refusal(ports(others)));
        }
    }

    @Test
    void needed_noneThere_thoseForReadingAreNamed() {
        assertTrue(refusal(ports()).contains(" EventLog, Directory, Grants;"));
    }

    @Test
    void needed_noneThereAndSomethingWrites_allAreNamed() {
        String message = String.valueOf(assertThrows(IllegalStateException.class, () -> ports().needed(true))
                .getMessage());
        assertTrue(
                message.contains(" EventLog, EventWriter, Directory, DirectoryWriter, Grants, GrantsWriter, RunLedger,"
                        + " Approvals, Receipts, Transactions;"),
                message);
    }

    /** A backend that keeps everything itself and only has it shown. */
    @Test
    void needed_onlyThoseForReading_areEnough() {
        Object log = stub(EventLog.class);
        Ports.Needed needed =
                ports(log, stub(Directory.class), stub(Grants.class)).needed(false);
        assertSame(log, needed.log());
        assertFalse(needed.writes());
        assertEquals(
                "the application has no bean for RunLedger",
                assertThrows(IllegalStateException.class, () -> needed.ledger().queuedSessions())
                        .getMessage());
    }

    /** An agent that answers writes; so does whoever lets a signer register. */
    @Test
    void needed_somethingThatWritesIsThere_theOthersAreNamed() {
        AgentRunner runner = run -> {};
        for (Object writing : List.of(runner, stub(SignerWriter.class))) {
            String message = refusal(ports(writing, stub(EventLog.class), stub(Directory.class), stub(Grants.class)));
            assertTrue(
                    message.contains(" EventWriter, DirectoryWriter, GrantsWriter, RunLedger, Approvals, Receipts,"
                            + " Transactions;"),
                    message);
        }
    }

    /** The engine is asked for with every event, and each time the ports again. */
    @Test
    void needed_askedAgain_saysTheSame() {
        Ports none = ports();
        assertEquals(refusal(none), refusal(none));
    }

    @Test
    void needed_twoOfOne_isNamed() {
        String message = refusal(ports(stub(EventLog.class), stub(EventLog.class)));
        assertEquals("the application has more than one bean for EventLog", message);
    }

    /** Law 6: nobody signs for others unless somebody says so. */
    @Test
    void signers_noAuthority_nobodySignsForOthers() {
        assertFalse(ports().signers().authorized("u", "s"));
        SignerAuthority generous = (account, signer) -> true;
        assertTrue(ports(generous).signers().authorized("u", "s"));
    }

    @Test
    void runner_isThereIfTheApplicationHasOne() {
        assertTrue(ports().runner().isEmpty());
        AgentRunner runner = run -> {};
        assertTrue(ports(runner).runner().isPresent());
    }

    @Test
    void threads_ofTheApplication_comeFirst() {
        HandThreads own = new HandThreads();
        assertSame(own, ports(own).threads("java:comp/any"));
    }

    @Test
    void threads_noneAndNoContainer_saysWhatToDo() {
        String message =
                String.valueOf(assertThrows(IllegalStateException.class, () -> ports().threads("java:comp/any"))
                        .getMessage());
        assertNotNull(message);
        assertTrue(message.contains("managed threads"), message);
        assertTrue(message.contains("tidings.threads.factory"), message);
        assertTrue(message.contains(Threads.class.getName()), message);
    }
}
