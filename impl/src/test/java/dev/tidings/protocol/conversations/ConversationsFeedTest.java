package dev.tidings.protocol.conversations;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.ApiKey;
import dev.tidings.ApiKeyScope;
import dev.tidings.EntryKind;
import dev.tidings.NewEntry;
import dev.tidings.Payload;
import dev.tidings.StreamKey;
import dev.tidings.delivery.Disconnect;
import dev.tidings.event.Signal;
import dev.tidings.spi.Feed;
import dev.tidings.testkit.InMemoryTidings;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The feed, from domain events to what a peer is sent. Threads: one. */
class ConversationsFeedTest {
    private final ConversationsWorld world = new ConversationsWorld();

    @Test
    void watch_live_getsWhatHappensAndNothingBefore() {
        world.session("s", "a");
        world.message("s", "before");
        world.settle();
        Watching watching = world.watch(world.key(), null, -1);
        world.message("s", "after");
        world.settle();
        assertEquals(List.of("message.created"), watching.types());
        assertTrue(watching.frames.get(0).contains("\"content\":\"after\""));
        assertEquals("s", Watching.member(watching.frames.get(0), "conversationId"));
    }

    /** Laws 1 and 4: what waits for its number is bounded in bytes; entries are in the log, and a text is cut. */
    @Test
    void happened_moreBytesThanMayWait_entriesAreShownAndATextIsCut() {
        world.session("s", "a");
        Watching watching = world.watch(world.key(), null, -1);
        world.message("s", "x".repeat(10 << 20));
        world.message("s", "x".repeat(10 << 20));
        world.delta("s", "p", "y".repeat(4 << 20));
        world.settle();
        assertEquals(List.of("message.created", "message.created"), watching.types());
        world.delta("s", "p", "a hole would be before this");
        world.delta("s", "q", "another");
        world.settle();
        assertEquals(List.of("message.created", "message.created", "message.delta"), watching.types());
        assertTrue(watching.frames.get(2).contains("another"));
    }

    /** Law 4: of entries that are left to the log nothing waits but how far they reach. */
    @Test
    void happened_manyEntriesBeyondTheBound_areNumberedTogether() {
        InMemoryTidings store = new InMemoryTidings();
        AtomicInteger turns = new AtomicInteger();
        Feed counting = (Feed) Proxy.newProxyInstance(
                Feed.class.getClassLoader(), new Class<?>[] {Feed.class}, (proxy, method, given) -> {
                    if (method.getName().equals("number")) {
                        turns.incrementAndGet();
                    }
                    return method.invoke(store.feed(), given);
                });
        ConversationsWorld busy = new ConversationsWorld(store, 5_000, counting);
        busy.session("s", "a");
        Watching watching = busy.watch(busy.key(), null, -1);
        turns.set(0);
        busy.message("s", "x".repeat(17 << 20));
        for (int i = 0; i < 2_500; i++) {
            busy.message("s", "m");
        }
        busy.settle();
        assertEquals(2_501, watching.types().size());
        assertEquals(1, turns.get());
    }

    /** Law 5: who sees one agent's part from the beginning has nobody else's entries read. */
    @Test
    void watch_oneAgentFromTheBeginning_readsNoEntriesOfOthers() {
        InMemoryTidings store = new InMemoryTidings();
        ConversationsWorld before = new ConversationsWorld(store, 2_000, null);
        before.agent("a");
        before.agent("b");
        before.session("s", "a");
        before.session("t", "b");
        for (int i = 0; i < 20; i++) {
            before.message(i % 2 == 0 ? "s" : "t", "m" + i);
        }
        before.settle();
        Set<String> read = new TreeSet<>();
        Feed watched = (Feed) Proxy.newProxyInstance(
                Feed.class.getClassLoader(), new Class<?>[] {Feed.class}, (proxy, method, given) -> {
                    Object got = method.invoke(store.feed(), given);
                    if (method.getName().startsWith("read")) {
                        ((List<?>) got)
                                .stream()
                                        .map(Feed.FeedRow.class::cast)
                                        .filter(row -> row.entry() != null)
                                        .forEach(row -> read.add(row.agentId()));
                    }
                    return got;
                });
        ConversationsWorld again = new ConversationsWorld(store, 2_000, watched);
        Watching one = again.watch(again.key(new ApiKeyScope.OfAgent("a")), null, 0);
        assertEquals(10, one.types().stream().filter("message.created"::equals).count());
        assertEquals(Set.of("a"), read);
    }

    @Test
    void watch_conversation_isTheSameFeedFiltered() {
        world.session("s", "a");
        world.session("t", "a");
        ApiKey key = world.key();
        Watching all = world.watch(key, null, 0);
        Watching one = world.watch(key, "s", 0);
        for (int i = 0; i < 20; i++) {
            world.message(i % 2 == 0 ? "s" : "t", "m" + i);
            world.delta("s", "p", "d" + i);
            world.settle();
        }
        assertEquals(
                all.events().stream()
                        .filter(event -> "s".equals(Watching.member(event, "conversationId")))
                        .toList(),
                one.events());
        assertRising(all);
    }

    /** Law 1: whoever comes back with its last number ends with the list of whoever never left. */
    @Test
    void watch_comingBackAgainAndAgain_endsWithTheSameList() {
        long seed = Long.getLong("tidings.seed", System.nanoTime());
        System.out.println("coming back: -Dtidings.seed=" + seed);
        Random random = new Random(seed);
        world.session("s", "a");
        world.session("t", "b");
        ApiKey key = world.key();
        for (String conversation : new String[] {null, "s"}) {
            Watching steady = world.watch(key, conversation, -1);
            List<String> pieces = new ArrayList<>();
            long last = world.face.tape().latestSeq();
            for (int round = 0; round < 60; round++) {
                Watching visit = world.watch(key, conversation, last);
                int steps = random.nextInt(12);
                for (int i = 0; i < steps; i++) {
                    String session = random.nextBoolean() ? "s" : "t";
                    if (random.nextInt(5) == 0) {
                        world.message(session, "m" + round + "." + i);
                    } else {
                        world.delta(session, "p" + round, "d" + i);
                    }
                    if (random.nextBoolean()) {
                        world.settle();
                    }
                }
                if (random.nextInt(3) > 0) {
                    world.settle();
                }
                pieces.addAll(visit.events());
                assertFalse(visit.types().contains("replay.truncated"));
                last = visit.events().isEmpty() ? last : visit.lastSeq();
            }
            world.settle();
            pieces.addAll(world.watch(key, conversation, last).events());
            assertEquals(steady.events(), pieces);
        }
    }

    /** Whoever tells what happened has the other protocols to tell as well: it is not told of the pool's trouble. */
    @Test
    void happened_noThread_waitsUntilThereIsOne() {
        world.session("s", "a");
        Watching watching = world.watch(world.key(), null, -1);
        world.noThread = true;
        world.message("s", "one");
        world.noThread = false;
        world.message("s", "two");
        world.settle();
        assertEquals(List.of("message.created", "message.created"), watching.types());
    }

    /** Law 1: what has its number is not numbered again, whatever happened while it was told. */
    @Test
    void numbers_troubleWhileTold_areGivenOnce() {
        InMemoryTidings store = world.tidings;
        world.session("s", "a");
        Presences presences = new Presences();
        FeedTape tape = new FeedTape(store.feed(), presences, 100, 1 << 20, bytes -> {});
        AtomicBoolean trouble = new AtomicBoolean(true);
        FeedPump pump = new FeedPump(
                store.feed(),
                tape,
                new Happenings(store.directory(), () -> Instant.EPOCH),
                presences,
                Runnable::run,
                hint -> {
                    if (trouble.getAndSet(false)) {
                        throw new IllegalStateException("as the test wants");
                    }
                },
                farewell -> {});
        pump.happened(Signal.Partial.text("s", "p", "x"));
        long numbered = tape.latestSeq();
        pump.look();
        assertFalse(trouble.get());
        assertEquals(numbered, tape.latestSeq());
    }

    /** Law 4: what waits while the feed is away is bounded, however often it is tried meanwhile. */
    @Test
    void happened_feedIsAwayForLong_keepsSoManyAndCutsTheRest() {
        AtomicBoolean away = new AtomicBoolean();
        InMemoryTidings store = new InMemoryTidings();
        ConversationsWorld there = new ConversationsWorld(store, 2_000, breaking(store.feed(), away));
        there.session("s", "a");
        there.watch(there.key(), null, -1);
        long before = there.face.tape().latestSeq();
        away.set(true);
        for (int i = 0; i < 30_000; i++) {
            there.delta("s", "p", "x");
            there.settle();
        }
        away.set(false);
        there.message("s", "behind it all");
        there.settle();
        long shown = there.face.tape().latestSeq() - before;
        assertTrue(shown > 20_000 && shown < 20_000 + 1_000, "numbers taken: " + shown);
    }

    /** Law 4: likewise in bytes; entries come from the log then. */
    @Test
    void happened_muchWaits_keepsSoManyBytesAndShowsTheEntryAllTheSame() {
        world.session("s", "a");
        Watching watching = world.watch(world.key(), null, -1);
        String text = "x".repeat(1 << 20);
        long before = world.face.tape().latestSeq();
        for (int i = 0; i < 20; i++) {
            world.delta("s", "p", text);
        }
        world.settle();
        // Two bytes a character and a little for each event, of 16 MiB.
        assertEquals(7, world.face.tape().latestSeq() - before, "numbers taken");
        for (int i = 0; i < 20; i++) {
            world.delta("s", "q", text);
        }
        world.message("s", "behind it all");
        world.settle();
        assertEquals("message.created", watching.types().get(watching.types().size() - 1));
    }

    @Test
    void watch_afterARestart_goesOnWithoutGapOrRepeatOfWhatIsStored() {
        InMemoryTidings store = world.tidings;
        world.session("s", "a");
        Watching before = world.watch(world.key(), "s", 0);
        world.message("s", "one");
        world.delta("s", "p", "lost with the process");
        world.message("s", "two");
        world.settle();
        long last = before.lastSeq();
        world.message("s", "three");
        ConversationsWorld again = new ConversationsWorld(store, 2_000, null);
        again.face.sweep();
        again.settle();
        Watching after = again.watch(again.key(), "s", last);
        again.message("s", "four");
        again.settle();
        assertEquals(2, after.events().size(), after.frames::toString);
        assertTrue(after.events().get(0).contains("three"));
        assertTrue(after.events().get(1).contains("four"));
        assertTrue(after.seqs().get(0) > last, "numbers are not used again");
    }

    @Test
    void watch_beyondTheMemory_saysSoAndGivesWhatIsStored() {
        ConversationsWorld small = new ConversationsWorld(new InMemoryTidings(), 16, null);
        small.session("s", "a");
        small.settle();
        for (int i = 0; i < 40; i++) {
            small.message("s", "m" + i);
            small.delta("s", "p" + i, "d");
            small.settle();
        }
        for (String conversation : new String[] {null, "s"}) {
            Watching watching = small.watch(small.key(), conversation, 0);
            assertEquals("replay.truncated", watching.types().get(0));
            List<String> messages = watching.events().stream()
                    .filter(event -> event.contains("message.created"))
                    .toList();
            assertEquals(40, messages.size());
            assertEquals(8, watching.events().size() - 40, "what only passed and is in memory");
            assertRising(watching);
            String oldest = watching.frames.get(0);
            assertTrue(oldest.contains("{\"oldestSeq\":" + watching.seqs().get(32) + "}"), oldest);
        }
    }

    /** What was made in this process has nothing behind it that could be gone. */
    @Test
    void watch_newConversationOfAnOldRuntime_isComplete() {
        world.session("s", "a");
        world.message("s", "old");
        world.settle();
        ConversationsWorld again = new ConversationsWorld(world.tidings, 2_000, null);
        again.settle();
        again.session("t", "a");
        again.message("t", "new");
        again.settle();
        assertEquals(
                List.of("conversation.updated", "message.created"),
                again.watch(again.key(), "t", 0).types());
    }

    @Test
    void watch_aboveTheLatest_isToldToStartAgain() {
        world.session("s", "a");
        Watching watching = world.watch(world.key(), null, 1_000_000);
        assertEquals(List.of("replay.reset"), watching.types());
        world.message("s", "live");
        world.settle();
        assertEquals(List.of("replay.reset", "message.created"), watching.types());
    }

    @Test
    void watch_keyOfAnAgentOrASession_seesItsScopeOnly() {
        world.agent("a");
        world.session("s", "a");
        world.session("t", "b");
        Watching ofAgent = world.watch(world.key(new ApiKeyScope.OfAgent("a")), null, -1);
        Watching ofSession = world.watch(world.key(new ApiKeyScope.OfSession("t")), null, -1);
        Watching foreign = world.watch(world.key(new ApiKeyScope.OfAgent("a")), "t", -1);
        Watching unknown = world.watch(world.key(), "none", -1);
        world.message("s", "of a");
        world.message("t", "of b");
        world.delta("t", "p", "of b too");
        world.settle();
        assertEquals(1, ofAgent.events().size());
        assertTrue(ofAgent.frames.get(0).contains("of a"));
        assertEquals(2, ofSession.events().size());
        assertEquals(Disconnect.NOT_FOUND, foreign.closed);
        assertEquals(Disconnect.NOT_FOUND, unknown.closed);
        assertEquals(List.of(), foreign.frames);
    }

    /** Law 6: not a byte after the revocation has committed. */
    @Test
    void watch_keyRevoked_fallsSilentAtOnce() {
        world.session("s", "a");
        ApiKey key = world.key();
        Watching watching = world.watch(key, null, -1);
        world.message("s", "waits in the outbox");
        world.tidings.transactions().run(() -> world.tidings.apiKeysWriter().revoke(key.id()));
        world.settle();
        assertEquals(List.of(), watching.frames);
        assertEquals(Disconnect.UNAUTHORIZED, watching.closed);
        assertEquals(Disconnect.UNAUTHORIZED, world.watch(key, null, 0).closed);
    }

    /** Law 6: while nobody knows whether the key is valid, silence; then it goes on where it was. */
    @Test
    void recheck_keysUnknown_isSilentThenGoesOn() {
        world.session("s", "a");
        Watching watching = world.watch(world.key(), "s", -1);
        world.keysAway = true;
        world.keys.recheck();
        world.message("s", "waits");
        world.settle();
        assertEquals(List.of(), watching.frames);
        world.keysAway = false;
        world.keys.recheck();
        world.settle();
        assertEquals(List.of("message.created"), watching.types());
    }

    @Test
    void watch_quiet_getsHeartbeats() {
        Watching watching = world.watch(world.key(), null, -1);
        world.pass(Duration.ofSeconds(14));
        assertEquals(List.of(), watching.frames);
        world.pass(Duration.ofSeconds(1));
        assertEquals(List.of("{\"type\":\"heartbeat\"}"), watching.frames);
        world.pass(Duration.ofSeconds(15));
        assertEquals(2, watching.frames.size());
    }

    /** Law 13: the hint was lost; a look at the log finds the entry. */
    @Test
    void look_hintLost_findsTheEntryOfAWatchedConversation() {
        world.session("s", "a");
        Watching watching = world.watch(world.key(), "s", -1);
        ConversationsWorld other = new ConversationsWorld(world.tidings, 2_000, null);
        assertEquals(0, other.face.openSockets());
        world.tidings.feed().number(java.util.Map.of("s", 10L), 0);
        world.message("s", "told to nobody who numbers");
        world.face.look();
        world.settle();
        assertEquals(List.of("message.created"), watching.types());
    }

    /** Law 13: the same for one that nobody watches by itself, at the next sweep. */
    @Test
    void sweep_hintLost_findsTheEntryOfAnyConversation() {
        world.session("s", "a");
        Watching watching = world.watch(world.key(), null, -1);
        world.deaf = true;
        world.message("s", "told to nobody");
        world.deaf = false;
        world.face.look();
        world.settle();
        assertEquals(List.of(), watching.types());
        world.face.sweep();
        world.settle();
        assertEquals(List.of("message.created"), watching.types());
    }

    /** Law 12: a piece of text that is stored is the delta that it was. */
    @Test
    void event_storedPieceOfText_isADelta() {
        world.session("s", "a");
        Watching watching = world.watch(world.key(), "s", -1);
        world.append("s", EntryKind.TEXT_DELTA, "{\"partialId\":\"p\",\"offset\":0,\"text\":\"x\"}");
        world.settle();
        assertEquals(List.of("message.delta"), watching.types());
        assertTrue(watching.frames.get(0).contains("\"messageId\":\"p\""), watching.frames::toString);
        assertTrue(watching.frames.get(0).contains("\"delta\":\"x\""), watching.frames::toString);
    }

    /** Law 5: what an event means may have to be asked for; while nobody answers it waits. */
    @Test
    void happened_directoryAwayForAWhile_isShownWhenItIsBack() {
        world.session("s", "a");
        ConversationsWorld again = new ConversationsWorld(world.tidings, 2_000, null);
        Watching watching = again.watch(again.key(), null, -1);
        again.directoryAway = true;
        again.delta("s", "p", "of a session that it has to ask for");
        again.settle();
        assertEquals(List.of(), watching.types());
        again.directoryAway = false;
        again.face.look();
        again.settle();
        assertEquals(List.of("message.delta"), watching.types());
    }

    /** Two nodes over one database: each shows what the other has numbered, and numbers rise on both. */
    @Test
    void twoNodes_oneFeed_bothShowWhatIsStored() {
        ConversationsWorld other = new ConversationsWorld(world.tidings, 2_000, null);
        world.session("s", "a");
        other.settle();
        ApiKey key = world.key();
        Watching here = world.watch(key, "s", -1);
        Watching there = other.watch(key, "s", -1);
        for (int i = 0; i < 10; i++) {
            world.delta("s", "here" + i, "d");
            world.settle();
            other.delta("s", "there" + i, "d");
            world.message("s", "m" + i);
            world.settle();
            other.settle();
            other.face.look();
            other.settle();
            world.face.look();
            world.settle();
        }
        for (Watching watching : List.of(here, there)) {
            assertRising(watching);
            assertEquals(
                    10,
                    watching.types().stream().filter("message.created"::equals).count());
        }
        Watching moved = other.watch(key, "s", here.lastSeq());
        assertEquals(
                List.of(),
                moved.types().stream().filter("message.created"::equals).toList());
    }

    /**
     * Laws 1 and 3: a transaction that began long ago commits behind what another node has shown; whoever has seen the greater
     * number there, and comes back with it, gets what committed late.
     */
    @Test
    void twoNodes_lateCommit_isShownToWhoeverSawAGreaterNumber() throws Exception {
        ConversationsWorld other = new ConversationsWorld(world.tidings, 2_000, null);
        world.session("s", "a");
        world.session("t", "a");
        other.settle();
        ApiKey key = world.key();
        Watching steady = other.watch(key, null, -1);
        ExecutorService second = Executors.newSingleThreadExecutor();
        try {
            world.tidings.transactions().run(() -> {
                world.tidings
                        .writer()
                        .append(
                                StreamKey.session("s"),
                                new NewEntry("late", EntryKind.EVENT, true, Payload.of("{\"type\":\"x\"}"), null, 5));
                Future<?> meanwhile = second.submit(() -> {
                    for (int i = 0; i < 3; i++) {
                        other.message("t", "overtakes " + i);
                        other.settle();
                    }
                });
                join(meanwhile);
            });
        } finally {
            second.shutdown();
        }
        long seen = steady.lastSeq();
        assertEquals(3, steady.events().size());
        world.settle();
        other.settle();
        Watching back = other.watch(key, null, seen);
        other.face.look();
        other.settle();
        for (Watching watching : List.of(back, steady)) {
            List<String> late = watching.events().stream()
                    .filter(event -> "s".equals(Watching.member(event, "conversationId")))
                    .toList();
            assertEquals(1, late.size(), watching.frames::toString);
            assertTrue(Watching.seq(late.get(0)).orElseThrow() > seen);
            assertRising(watching);
        }
    }

    private static void join(Future<?> work) {
        try {
            work.get(30, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Feed breaking(Feed feed, AtomicBoolean away) {
        return (Feed) Proxy.newProxyInstance(
                Feed.class.getClassLoader(), new Class<?>[] {Feed.class}, (proxy, method, arguments) -> {
                    if (away.get()) {
                        throw new IllegalStateException("away");
                    }
                    return method.invoke(feed, arguments);
                });
    }

    /** Law 1: who moves to a node that has not read as far as its number gets nothing again when that node has. */
    @Test
    void twoNodes_numberThatThisNodeHasNotRead_givesNothingTwice() {
        ConversationsWorld other = new ConversationsWorld(world.tidings, 2_000, null);
        world.session("s", "a");
        other.settle();
        ApiKey key = world.key();
        other.watch(key, "s", -1);
        other.deaf = true;
        Watching here = world.watch(key, "s", -1);
        world.message("s", "seen here");
        world.settle();
        assertEquals(List.of("message.created"), here.types());
        Watching moved = other.watch(key, "s", here.lastSeq());
        other.face.look();
        other.settle();
        assertEquals(List.of(), moved.types());
    }

    /** Law 1: what was reserved here and not used is left when greater numbers of another node have been shown. */
    @Test
    void twoNodes_reservedNumbersAreOvertaken_areLeft() {
        ConversationsWorld other = new ConversationsWorld(world.tidings, 2_000, null);
        world.session("s", "a");
        other.settle();
        Watching watching = world.watch(world.key(), "s", -1);
        world.delta("s", "p", "reserves");
        world.settle();
        world.deaf = true;
        other.message("s", "elsewhere");
        other.settle();
        world.deaf = false;
        world.face.look();
        world.settle();
        world.delta("s", "q", "behind it");
        world.settle();
        assertEquals(List.of("message.delta", "message.created", "message.delta"), watching.types());
        assertRising(watching);
    }

    /** Laws 1 and 12: a feed that numbers a part at a time is asked for the rest before what passes behind it. */
    @Test
    void numbers_feedTakesAFewInATurn_restComesBeforeWhatPasses() {
        InMemoryTidings store = new InMemoryTidings();
        Map<String, Long> numbered = new HashMap<>();
        Feed slow = (Feed) Proxy.newProxyInstance(
                Feed.class.getClassLoader(), new Class<?>[] {Feed.class}, (proxy, method, given) -> {
                    if (!method.getName().equals("number")) {
                        return method.invoke(store.feed(), given);
                    }
                    boolean[] more = new boolean[1];
                    Map<String, Long> some = new HashMap<>();
                    ((Map<?, ?>) given[0]).forEach((id, upTo) -> {
                        String session = String.valueOf(id);
                        long next = Math.min(numbered.getOrDefault(session, 0L) + 2, (Long) upTo);
                        more[0] |= next < (Long) upTo;
                        some.put(session, next);
                        numbered.put(session, next);
                    });
                    Feed.Turn turn = store.feed().number(some, (Integer) given[1]);
                    return new Feed.Turn(turn.reservedFrom(), turn.reservedUntil(), turn.place(), more[0]);
                });
        ConversationsWorld parts = new ConversationsWorld(store, 2_000, slow);
        parts.session("s", "a");
        Watching watching = parts.watch(parts.key(), null, -1);
        for (int i = 0; i < 5; i++) {
            parts.message("s", "m" + i);
        }
        parts.delta("s", "p", "behind them");
        parts.settle();
        List<String> expected = new ArrayList<>(Collections.nCopies(5, "message.created"));
        expected.add("message.delta");
        assertEquals(expected, watching.types());
        assertRising(watching);
    }

    /** Law 5: while the database is away everything waits in its order, and nothing is lost or shown twice. */
    @Test
    void numbers_databaseAwayForAWhile_goOnWhereTheyWere() {
        InMemoryTidings store = new InMemoryTidings();
        AtomicBoolean away = new AtomicBoolean();
        ConversationsWorld shaken = new ConversationsWorld(store, 2_000, breaking(store.feed(), away));
        shaken.session("s", "a");
        Watching watching = shaken.watch(shaken.key(), "s", -1);
        shaken.message("s", "m0");
        shaken.settle();
        away.set(true);
        for (int i = 1; i < 5; i++) {
            shaken.message("s", "m" + i);
            shaken.delta("s", "p", "d" + i);
            shaken.settle();
        }
        away.set(false);
        shaken.face.look();
        shaken.settle();
        assertRising(watching);
        List<String> texts = watching.events().stream()
                .map(event -> event.replaceFirst(".*\"(?:content|delta)\":\"([^\"]*)\".*", "$1"))
                .toList();
        assertEquals(List.of("m0", "m1", "d1", "m2", "d2", "m3", "d3", "m4", "d4"), texts);
    }

    @Test
    void event_payloadThatIsNoObject_isShown() {
        world.session("s", "a");
        Watching watching = world.watch(world.key(), "s", -1);
        world.append("s", EntryKind.EVENT, "[18446744073709551615]");
        world.settle();
        assertTrue(watching.frames.get(0).contains("\"event\":[18446744073709551615]"), watching.frames::toString);
    }

    private static void assertRising(Watching watching) {
        List<Long> seqs = watching.seqs();
        for (int i = 1; i < seqs.size(); i++) {
            assertTrue(seqs.get(i) > seqs.get(i - 1), "numbers rise");
        }
    }
}
