package dev.tidings.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.Role;
import dev.tidings.delivery.Gate;
import dev.tidings.event.GrantChanged;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Law 6, whatever happens in between: from the moment a revocation was told, the gate is closed until access is given
 * again, and in the end every gate says what the grants say.
 *
 * <p>{@code -Dtidings.access.seed} runs the schedule with that seed alone.
 */
@Timeout(120)
class AccessInterleavingsTest {
    private static final int SCHEDULES = 3_000;

    @Test
    void anySchedule_gatesNeverOpenWithoutAccessAndEndAsTheGrants() {
        Long one = Long.getLong("tidings.access.seed");
        long first = one == null ? System.nanoTime() : one;
        long last = one == null ? first + SCHEDULES - 1 : one;
        System.out.println("access: seeds " + first + " to " + last);
        for (long seed = first; seed <= last; seed++) {
            try {
                new Schedule(seed).run();
            } catch (RuntimeException | AssertionError fault) {
                throw new AssertionError("run again with -Dtidings.access.seed=" + seed + ": " + fault, fault);
            }
        }
    }

    /** One thread, but other work happens before and behind every read, and again within that. */
    private static final class Schedule {
        private static final String[] AGENTS = {"a", "b"};
        private static final String[] ACCOUNTS = {"u", "v"};
        private static final int DEEPEST = 4;

        private final Random random;
        private final HandGrants grants = new HandGrants();
        private final Access access = new Access(grants);
        private final Map<String, Gate> held = new HashMap<>();
        // Pairs whose loss of access was told and which have not got it back.
        private final Set<String> gone = new HashSet<>();
        private int depth;
        private int steps = 40;

        Schedule(long seed) {
            this.random = new Random(seed);
            grants.beforeRead = this::meanwhile;
            grants.afterRead = this::meanwhile;
        }

        void run() {
            while (steps > 0) {
                step();
            }
            grants.beforeRead = () -> {};
            grants.afterRead = () -> {};
            grants.broken = false;
            access.recheck();
            for (String agent : AGENTS) {
                for (String account : ACCOUNTS) {
                    Gate gate = held.get(agent + account);
                    if (gate != null) {
                        assertEquals(grants.has(agent, account), gate.isOpen(), agent + account);
                    }
                }
                for (String account : access.members(agent)) {
                    assertTrue(grants.has(agent, account), "members of " + agent);
                }
            }
        }

        private void meanwhile() {
            if (depth < DEEPEST && steps > 0 && random.nextInt(2) == 0) {
                depth++;
                step();
                depth--;
            }
        }

        private void step() {
            steps--;
            String agent = AGENTS[random.nextInt(AGENTS.length)];
            String account = ACCOUNTS[random.nextInt(ACCOUNTS.length)];
            switch (random.nextInt(9)) {
                case 0, 1 -> {
                    grants.remove(agent, account);
                    access.changed(new GrantChanged(agent, account, null));
                    gone.add(agent + account);
                    check();
                    access.lookAgain(new GrantChanged(agent, account, null));
                }
                case 2, 3 -> {
                    gone.remove(agent + account);
                    grants.accept(agent, account, Role.WRITER);
                    access.changed(new GrantChanged(agent, account, Role.WRITER));
                    access.lookAgain(new GrantChanged(agent, account, Role.WRITER));
                }
                case 4 -> {
                    access.changed(new GrantChanged(agent, null, null));
                    access.lookAgain(new GrantChanged(agent, null, null));
                }
                case 5 -> {
                    // Another node, without a word.
                    if (grants.has(agent, account)) {
                        grants.remove(agent, account);
                    } else {
                        gone.remove(agent + account);
                        grants.accept(agent, account, Role.READER);
                    }
                }
                case 6 -> access.recheck();
                case 7 -> held.put(agent + account, access.gate(agent, account));
                default -> {
                    if (random.nextInt(4) == 0) {
                        grants.broken = !grants.broken;
                    } else if (!grants.broken) {
                        readMembers(agent);
                    }
                }
            }
            check();
        }

        private void readMembers(String agent) {
            try {
                access.members(agent);
            } catch (IllegalStateException brokenMeanwhile) {
                assertTrue(grants.broken);
            }
        }

        private void check() {
            for (String pair : gone) {
                Gate gate = held.get(pair);
                assertTrue(gate == null || !gate.isOpen(), "open without access: " + pair);
            }
        }
    }

    @Test
    void manyThreads_gatesNeverOpenWithoutAccessAndEndAsTheGrants() throws Exception {
        HandGrants grants = new HandGrants();
        Access access = new Access(grants);
        int writers = 3;
        int rounds = 3_000;
        List<Gate> gates = new ArrayList<>();
        for (int i = 0; i < writers; i++) {
            gates.add(access.gate("a", "u" + i));
        }
        ExecutorService threads = Executors.newFixedThreadPool(writers + 2);
        AtomicBoolean over = new AtomicBoolean();
        try {
            List<Future<?>> lookers = List.of(
                    threads.submit(() -> {
                        while (!over.get()) {
                            access.recheck();
                        }
                    }),
                    threads.submit(() -> {
                        while (!over.get()) {
                            access.changed(new GrantChanged("a", null, null));
                            access.lookAgain(new GrantChanged("a", null, null));
                            access.gate("a", "u0");
                        }
                    }));
            List<Future<?>> done = new ArrayList<>();
            for (int i = 0; i < writers; i++) {
                String account = "u" + i;
                Gate gate = gates.get(i);
                done.add(threads.submit(() -> {
                    for (int round = 0; round < rounds; round++) {
                        grants.accept("a", account, Role.WRITER);
                        access.changed(new GrantChanged("a", account, Role.WRITER));
                        access.lookAgain(new GrantChanged("a", account, Role.WRITER));
                        grants.remove("a", account);
                        access.changed(new GrantChanged("a", account, null));
                        for (int look = 0; look < 50; look++) {
                            assertFalse(gate.isOpen(), "open without access");
                        }
                    }
                    if (account.equals("u0")) {
                        grants.accept("a", account, Role.WRITER);
                    }
                }));
            }
            for (Future<?> writer : done) {
                writer.get(100, TimeUnit.SECONDS);
            }
            over.set(true);
            for (Future<?> looker : lookers) {
                looker.get(20, TimeUnit.SECONDS);
            }
        } finally {
            over.set(true);
            threads.shutdownNow();
        }
        access.recheck();
        for (int i = 0; i < writers; i++) {
            assertEquals(grants.has("a", "u" + i), gates.get(i).isOpen(), "u" + i);
        }
    }
}
