package dev.tidings.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.spi.Receipts.Answer;
import dev.tidings.spi.Receipts.Receipt;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Law 11: what every {@link dev.tidings.spi.Receipts} does. Threads: as said. */
public abstract class ReceiptsContract extends PortsContract {

    private static final Answer ANSWER = new Answer(200, new byte[] {0, 1, (byte) 0xff});

    private final String account = fresh("account");

    private Receipt receipt(String command, @Nullable Answer answer) {
        return new Receipt(account, command, "digest", "run-1", answer, 1_000, 2_000);
    }

    private void create(Receipt receipt, long now) {
        inTransaction(() -> ports().receipts().create(receipt, now));
    }

    private Optional<Receipt> found(String command, long now) {
        return Optional.ofNullable(
                ports().receipts().find(account, List.of(command), now).get(command));
    }

    @Test
    void create_withAnswer_isFoundUntilItExpires() {
        Receipt receipt = receipt("c", ANSWER);
        create(receipt, 1_000);
        assertEquals(Optional.of(receipt), found("c", 1_999));
        assertEquals(Optional.empty(), found("c", 2_000));
        assertEquals(Map.of(), ports().receipts().find(fresh("other"), List.of("c"), 1_500));
    }

    @Test
    void find_several_givesThoseThatThereAre() {
        Receipt one = receipt("c", ANSWER);
        Receipt two = receipt("s", null);
        create(one, 1_000);
        create(two, 1_000);
        assertEquals(
                Map.of("c", one, "s", two), ports().receipts().find(account, List.of("c", "s", "none", "C"), 1_500));
    }

    @Test
    void create_bodyNotKept_isFoundWithoutIt() {
        Receipt receipt = receipt("c", new Answer(404, null));
        create(receipt, 1_000);
        assertEquals(Optional.of(receipt), found("c", 1_500));
    }

    @Test
    void create_reference_isThereOrNullButNotEmpty() {
        Receipt without = new Receipt(account, "c", "digest", null, null, 1_000, 2_000);
        create(without, 1_000);
        assertEquals(Optional.of(without), found("c", 1_500));
        assertThrows(IllegalArgumentException.class, () -> new Receipt(account, "d", "digest", "", null, 1_000, 2_000));
    }

    @Test
    void create_again_throwsAndKeepsTheFirst() {
        Receipt first = receipt("c", ANSWER);
        create(first, 1_000);
        Receipt second = receipt("c", null);
        assertThrows(RuntimeException.class, () -> create(second, 1_500));
        assertEquals(Optional.of(first), found("c", 1_500));
    }

    /** The effect of the second is undone with its receipt. */
    @Test
    void create_again_rollsTheEffectBack() {
        create(receipt("c", ANSWER), 1_000);
        String agent = fresh("agent");
        assertThrows(
                RuntimeException.class,
                () -> inTransaction(() -> {
                    ports().directoryWriter().create(agentInfo(agent, account, false));
                    ports().receipts().create(receipt("c", ANSWER), 1_500);
                }));
        assertTrue(ports().directory().agent(agent).isEmpty());
    }

    @Test
    void create_whereOneHasExpired_takesItsPlace() {
        create(receipt("c", ANSWER), 1_000);
        Receipt later = new Receipt(account, "c", "other", null, null, 2_000, 3_000);
        create(later, 2_000);
        assertEquals(Optional.of(later), found("c", 2_500));
    }

    @Test
    void create_rolledBack_leavesNothing() {
        assertThrows(
                RuntimeException.class,
                () -> inTransaction(() -> {
                    ports().receipts().create(receipt("c", ANSWER), 1_000);
                    ports().setRollbackOnly();
                }));
        assertEquals(Optional.empty(), found("c", 1_500));
        create(receipt("c", ANSWER), 1_500);
    }

    @Test
    void create_withoutTransaction_throws() {
        assertThrows(RuntimeException.class, () -> ports().receipts().create(receipt("c", ANSWER), 1_000));
        assertThrows(RuntimeException.class, () -> ports().receipts().answer(account, "c", ANSWER));
    }

    @Test
    void answer_pending_isAnsweredOnce() {
        create(receipt("c", null), 1_000);
        inTransaction(() -> assertTrue(ports().receipts().answer(account, "c", ANSWER)));
        inTransaction(() -> assertFalse(ports().receipts().answer(account, "c", new Answer(500, null))));
        inTransaction(() -> assertFalse(ports().receipts().answer(account, "none", ANSWER)));
        assertEquals(Optional.of(receipt("c", ANSWER)), found("c", 1_500));
    }

    /** One effect, whoever is first, from however many sides. */
    @Test
    void create_byManyAtOnce_oneSucceeds() {
        for (int round = 0; round < 5; round++) {
            String command = "c" + round;
            int many = 4;
            CyclicBarrier together = new CyclicBarrier(many);
            AtomicInteger done = new AtomicInteger();
            List<CompletableFuture<Void>> all = new ArrayList<>();
            for (int i = 0; i < many; i++) {
                String agent = fresh("agent");
                all.add(CompletableFuture.runAsync(
                        () -> {
                            await(together);
                            inTransaction(() -> {
                                ports().directoryWriter().create(agentInfo(agent, account, false));
                                ports().receipts().create(receipt(command, ANSWER), 1_000);
                            });
                            done.incrementAndGet();
                        },
                        task -> new Thread(task).start()));
            }
            all.forEach(one -> one.orTimeout(60, TimeUnit.SECONDS)
                    .handle((nothing, failure) -> true)
                    .join());
            assertEquals(1, done.get());
        }
        assertEquals(
                5,
                ports().directory()
                        .agents(new dev.tidings.spi.Directory.AgentQuery(account, null, null, 200))
                        .size());
    }

    @Test
    void expire_deletesWhatHasExpiredInBatches() {
        for (int i = 0; i < 5; i++) {
            create(new Receipt(account, "old" + i, "d", null, null, 0, 10), 0);
        }
        create(new Receipt(account, "new", "d", null, null, 0, 11), 0);
        assertEquals(2, expire(10, 2));
        int left = 0;
        for (int deleted = expire(10, 2); deleted > 0; deleted = expire(10, 2)) {
            left += deleted;
        }
        assertEquals(3, left);
        assertEquals(Map.of(), ports().receipts().find(account, List.of("old0", "old4"), 0));
        assertTrue(found("new", 10).isPresent());
    }

    private int expire(long now, int most) {
        return ports().transactions().required(() -> ports().receipts().expire(now, most));
    }

    private static void await(CyclicBarrier together) {
        try {
            together.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }
}
