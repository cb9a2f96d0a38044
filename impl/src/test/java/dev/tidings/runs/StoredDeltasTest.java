package dev.tidings.runs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.EntryKind;
import dev.tidings.StoredEntry;
import dev.tidings.spi.AgentRunner;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Protocols C: pieces of a message are stored as they come, and their concatenation is the message. */
class StoredDeltasTest {

    private static RunsFixture storing(AgentRunner runner) {
        RunsFixture base = new RunsFixture(run -> {});
        base.close();
        RunsFixture fixture = new RunsFixture(base.tidings, runner, RunsFixture.storing());
        fixture.engine.recover();
        return fixture;
    }

    private static String member(StoredEntry entry, String name) {
        return entry.payload().textMembers(Set.of(name)).getOrDefault(name, "");
    }

    private static String deltas(List<StoredEntry> entries) {
        return entries.stream()
                .filter(entry -> entry.kind() == EntryKind.TEXT_DELTA)
                .map(entry -> member(entry, "text"))
                .collect(Collectors.joining());
    }

    /** Each message's pieces stand before it, in order, without a hole, and add up to it. */
    private static int assertPiecesAddUp(List<StoredEntry> entries) {
        StringBuilder text = new StringBuilder();
        String partial = "";
        int messages = 0;
        for (StoredEntry entry : entries) {
            if (entry.kind() == EntryKind.TEXT_DELTA) {
                assertTrue(text.isEmpty() || partial.equals(member(entry, "partialId")), "two messages at once");
                partial = member(entry, "partialId");
                assertTrue(entry.payload().text().contains("\"offset\":" + text.length() + ","), "a hole");
                text.append(member(entry, "text"));
                assertEquals(0, entry.seq());
            } else if (member(entry, "role").equals("assistant")) {
                assertEquals(member(entry, "content"), text.toString());
                assertEquals(entry.id(), partial);
                text.setLength(0);
                messages++;
            }
        }
        assertEquals("", text.toString(), "pieces without their message");
        assertEquals(
                LongStream.rangeClosed(1, entries.size()).boxed().toList(),
                entries.stream().map(StoredEntry::position).toList());
        assertEquals(
                entries.size(),
                entries.stream()
                        .map(StoredEntry::id)
                        .collect(Collectors.toSet())
                        .size());
        return messages;
    }

    @Test
    void text_severalMessages_piecesAddUpToEach() throws Exception {
        try (RunsFixture fixture = storing(run -> {
            for (int message = 0; message < 3; message++) {
                for (int i = 0; i < 200; i++) {
                    run.text(i % 7 == 0 ? "\uD83D" : i % 7 == 1 ? "\uDE00" : "w" + i + " ");
                }
                run.endMessage(null);
            }
            run.text("last");
        })) {
            RunsFixture.result(fixture.say("hi"));
            assertEquals(4, assertPiecesAddUp(fixture.entries()));
        }
    }

    /** The first piece of a message does not wait for more. */
    @Test
    void text_first_isStoredBeforeAnythingElseComes() throws Exception {
        CountDownLatch stored = new CountDownLatch(1);
        try (RunsFixture fixture = storing(run -> {
            run.text("first");
            RunsFixture.await(stored);
        })) {
            var turn = fixture.say("hi");
            fixture.awaitShown(event -> event instanceof dev.tidings.event.EntriesStored entries
                    && deltas(entries.entries()).equals("first"));
            stored.countDown();
            RunsFixture.result(turn);
            assertPiecesAddUp(fixture.entries());
        }
    }

    @Test
    void stop_inMidText_textSoFarIsTheMessage() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        try (RunsFixture fixture = storing(run -> {
            for (int i = 0; i < 50; i++) {
                run.text("word ");
            }
            RunsFixture.await(never);
        })) {
            var turn = fixture.say("hi");
            fixture.awaitShown(event -> event instanceof dev.tidings.event.EntriesStored entries
                    && !deltas(entries.entries()).isEmpty());
            assertTrue(fixture.stop(RunsFixture.SESSION));
            RunsFixture.result(turn);
            List<StoredEntry> entries = fixture.entries();
            assertEquals(1, assertPiecesAddUp(entries));
            StoredEntry message = entries.get(entries.size() - 2);
            assertTrue(message.payload().text().contains("\"interrupted\":true"));
            assertEquals(EntryKind.RUN_FINISHED, entries.get(entries.size() - 1).kind());
        }
    }

    /** Law 10, and failure mode "partial answer is lost": what was stored of a message outlives the node. */
    @Test
    void recover_cutInMidText_storedTextIsKeptAsInterrupted() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        RunsFixture dead = storing(run -> {
            run.text("first");
            run.endMessage(null);
            run.text("second, cut");
            RunsFixture.await(never);
        });
        dead.say("hi");
        dead.awaitShown(event -> event instanceof dev.tidings.event.EntriesStored entries
                && deltas(entries.entries()).contains("second, cut"));
        dead.close();
        try (RunsFixture node = new RunsFixture(dead.tidings, run -> {}, RunsFixture.storing())) {
            node.engine.recover();
            List<StoredEntry> entries = node.entries();
            assertEquals(2, assertPiecesAddUp(entries));
            StoredEntry message = entries.get(entries.size() - 2);
            assertEquals("second, cut", member(message, "content"));
            assertTrue(message.payload().text().contains("\"interrupted\":true"));
            assertEquals("interrupted_by_restart", member(entries.get(entries.size() - 1), "code"));
        }
    }

    /** A piece that the database refuses ends the run; nothing is shown as if it were stored. */
    @Test
    void text_pieceRefused_runFails() throws Exception {
        try (RunsFixture fixture = storing(run -> {
            run.text("good ");
            run.text("evil ");
            run.pause(java.time.Duration.ofSeconds(20));
        })) {
            fixture.refuse("evil");
            TurnResult.Failed failed = assertInstanceOf(TurnResult.Failed.class, RunsFixture.result(fixture.say("hi")));
            assertEquals("not_stored", failed.code());
            assertEquals(1, fixture.entries(EntryKind.RUN_FINISHED).size());
        }
    }

    /** What a runner reports behind text stands behind it in the log. */
    @Test
    void toolResult_behindText_standsBehindIt() throws Exception {
        try (RunsFixture fixture = storing(run -> {
            run.toolCall(new dev.tidings.spi.ToolCall("t", "n", dev.tidings.Payload.of("{}"), null));
            run.text("meanwhile");
            run.toolResult(new dev.tidings.spi.ToolResult("t", "n", dev.tidings.Payload.of("1"), null, null));
        })) {
            RunsFixture.result(fixture.say("hi"));
            List<String> order = fixture.entries().stream()
                    .map(entry -> entry.kind() == EntryKind.TEXT_DELTA ? "delta" : member(entry, "type"))
                    .filter(word -> Set.of("delta", "tool_call", "tool_result").contains(word))
                    .toList();
            assertEquals(List.of("tool_call", "delta", "tool_result"), order);
        }
    }

    /** Whatever fails and when: no piece twice, none lost. {@code -Dtidings.deltas.seed} repeats one. */
    @Test
    void anyFaults_piecesAddUp() throws Exception {
        Long one = Long.getLong("tidings.deltas.seed");
        long first = one == null ? System.nanoTime() : one;
        System.out.println("deltas: seeds from " + first);
        for (long seed = first; seed < first + (one == null ? 60 : 1); seed++) {
            Random random = new Random(seed);
            List<String> words = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                words.add(random.nextInt(12) == 0 ? "" : "w" + i + " ");
            }
            try (RunsFixture fixture = storing(run -> {
                for (String word : words) {
                    if (word.isEmpty()) {
                        run.endMessage(null);
                    } else {
                        run.text(word);
                    }
                }
            })) {
                RunsFixture.FaultyTransactions.Fault fault = random.nextBoolean()
                        ? RunsFixture.FaultyTransactions.Fault.BEFORE
                        : RunsFixture.FaultyTransactions.Fault.AFTER;
                // The first two store the message and claim the run.
                fixture.transactions.fail(2 + random.nextInt(6), fault, 1 + random.nextInt(3));
                RunsFixture.result(fixture.say("hi"));
                assertPiecesAddUp(fixture.entries());
                assertEquals(String.join("", words), deltas(fixture.entries()), "lost or doubled");
            } catch (AssertionError e) {
                throw new AssertionError("run again with -Dtidings.deltas.seed=" + seed, e);
            }
        }
    }

    /** Live text is what it is without storing: as it comes, not joined. */
    @Test
    void signals_areThoseOfARunThatStoresNothing() throws Exception {
        AgentRunner runner = run -> {
            run.text("a");
            run.text("b");
            run.usage(new dev.tidings.RunUsage(1, 2, 0, 0, 3));
            run.text("c");
        };
        Map<Boolean, List<Object>> shown = new java.util.HashMap<>();
        for (boolean stores : new boolean[] {false, true}) {
            RunsFixture base = new RunsFixture(run -> {});
            base.close();
            try (RunsFixture fixture =
                    new RunsFixture(base.tidings, runner, stores ? RunsFixture.storing() : RunLimits.DEFAULTS)) {
                fixture.engine.recover();
                RunsFixture.result(fixture.say("hi"));
                fixture.quiet();
                shown.put(
                        stores,
                        fixture.shown().stream()
                                .filter(dev.tidings.event.Signal.Partial.class::isInstance)
                                .map(dev.tidings.event.Signal.Partial.class::cast)
                                .<Object>map(partial -> List.of(
                                        String.valueOf(partial.textDelta()),
                                        partial.done(),
                                        String.valueOf(partial.usage()),
                                        String.valueOf(
                                                partial.activity() == null
                                                        ? null
                                                        : partial.activity().phase())))
                                .toList());
            }
        }
        assertEquals(shown.get(false), shown.get(true));
    }
}
