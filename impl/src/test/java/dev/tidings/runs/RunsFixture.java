package dev.tidings.runs;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tidings.AgentInfo;
import dev.tidings.EntryKind;
import dev.tidings.NewEntry;
import dev.tidings.Payload;
import dev.tidings.RunInfo;
import dev.tidings.RunStatus;
import dev.tidings.SessionInfo;
import dev.tidings.SessionStatus;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.event.EntriesStored;
import dev.tidings.event.RunChanged;
import dev.tidings.event.SessionChanged;
import dev.tidings.event.Signal;
import dev.tidings.spi.AgentRunner;
import dev.tidings.spi.Directory;
import dev.tidings.spi.EventWriter;
import dev.tidings.spi.RunFence;
import dev.tidings.spi.Transactions;
import dev.tidings.testkit.InMemoryTidings;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An engine over the ports in memory, with a session {@code s} of an agent {@code a}, and everything it showed, in order. */
final class RunsFixture implements AutoCloseable {

    static final String SESSION = "s";
    private static final long WAIT_SECONDS = 20;

    final InMemoryTidings tidings;
    final FaultyTransactions transactions;
    final RunEngine engine;
    private final ExecutorService runners = Executors.newCachedThreadPool();
    private final ExecutorService writers = Executors.newFixedThreadPool(3);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition grown = lock.newCondition();

    // Volatile: set by the test's thread, read by those that claim.
    private volatile CountDownLatch runnersMayBegin = new CountDownLatch(0);

    // Volatile: set by the test's thread, read by the writers; no entry holds a NUL.
    private volatile String refused = "\u0000";

    // Volatile: as above.
    private volatile String broken = "\u0000";

    // Volatile: as above.
    private volatile boolean headHeld;

    @GuardedBy("lock")
    private final List<Runnable> retries = new ArrayList<>();

    @GuardedBy("lock")
    private final List<Runnable> alarms = new ArrayList<>();

    @GuardedBy("lock")
    private boolean holdsRetries;

    @GuardedBy("lock")
    private final List<Object> shown = new ArrayList<>();

    RunsFixture(AgentRunner runner) {
        this(new InMemoryTidings(), runner, RunLimits.DEFAULTS);
        tidings.transactions().run(() -> {
            tidings.directoryWriter()
                    .create(new AgentInfo(
                            "a", "owner", Payload.of("{}"), null, AgentInfo.AgentStatus.IDLE, 1, 1, false));
            tidings.directoryWriter().create(SessionInfo.idle(SESSION, "owner", "a", null, 1));
        });
        clear();
        engine.recover();
    }

    /** A node over a store that is there already; not recovered. */
    RunsFixture(InMemoryTidings tidings, AgentRunner runner, RunLimits limits) {
        this("node", tidings, runner, limits);
    }

    /** The same, of that name. */
    RunsFixture(String nodeId, InMemoryTidings tidings, AgentRunner runner, RunLimits limits) {
        this.tidings = tidings;
        transactions = new FaultyTransactions(tidings.transactions());
        tidings.listen(this::add);
        engine = new RunEngine(
                new RunEngine.Ports(
                        transactions,
                        tidings.directory(),
                        tidings.directoryWriter(),
                        tidings.ledger(),
                        tidings.log(),
                        refusing(tidings.writer()),
                        tidings.approvals()),
                new RunEngine.Surroundings(
                        nodeId,
                        InstantSource.system(),
                        this::startRunner,
                        writers,
                        this::later,
                        TestDeadlines.shared(),
                        this::add),
                limits,
                runner);
    }

    /** Fails transactions when it is told to. */
    static final class FaultyTransactions implements Transactions {

        enum Fault {
            /** The work is not done. */
            BEFORE,
            /** The work is done and rolled back. */
            WITHIN,
            /** The work is done, rolled back, and done again, as some containers do. */
            TWICE,
            /** The work is committed, and the commit looks failed. */
            AFTER
        }

        private final Transactions real;
        private final ReentrantLock lock = new ReentrantLock();

        @GuardedBy("lock")
        private Fault fault = Fault.BEFORE;

        @GuardedBy("lock")
        private int healthy;

        @GuardedBy("lock")
        private int failing;

        FaultyTransactions(Transactions real) {
            this.real = real;
        }

        /** After so many healthy transactions, so many fail. */
        void fail(int afterHealthy, Fault how, int times) {
            lock.lock();
            try {
                fault = how;
                healthy = afterHealthy;
                failing = times;
            } finally {
                lock.unlock();
            }
        }

        private Optional<Fault> next() {
            lock.lock();
            try {
                if (healthy > 0) {
                    healthy--;
                    return Optional.empty();
                }
                return failing > 0 && failing-- > 0 ? Optional.of(fault) : Optional.empty();
            } finally {
                lock.unlock();
            }
        }

        @Override
        public <T> T required(Supplier<T> work) {
            return requiresNew(work);
        }

        @Override
        public <T> T requiresNew(Supplier<T> work) {
            Optional<Fault> now = next();
            if (now.isPresent() && now.get() == Fault.BEFORE) {
                throw new IllegalStateException("the database is away");
            }
            if (now.isPresent() && now.get() == Fault.TWICE) {
                return twice(work);
            }
            T result = real.requiresNew(() -> {
                T done = work.get();
                if (now.isPresent() && now.get() == Fault.WITHIN) {
                    throw new IllegalStateException("the commit was refused");
                }
                return done;
            });
            if (now.isPresent()) {
                throw new IllegalStateException("the commit was not answered");
            }
            return result;
        }

        private <T> T twice(Supplier<T> work) {
            try {
                real.requiresNew(() -> {
                    T lost = work.get();
                    throw new IllegalStateException("rolled back: " + lost);
                });
            } catch (IllegalStateException again) {
                return real.requiresNew(work);
            }
            throw new AssertionError("it was not rolled back");
        }
    }

    /** From now on, entries that hold this text are refused. */
    void refuse(String text) {
        refused = text;
    }

    /** Whether somebody holds the heads of all streams, so that no write gets one in time. */
    void holdHeads(boolean held) {
        headHeld = held;
    }

    /** The next entry that holds this text breaks the writer with an error that is no exception. */
    void breakOnce(String text) {
        broken = text;
    }

    private EventWriter refusing(EventWriter real) {
        return new EventWriter() {
            @Override
            public void append(StreamKey stream, NewEntry entry, @Nullable RunFence fence) {
                if (entry.payload().text().contains(refused)) {
                    throw new IllegalStateException("the value is too long");
                }
                if (entry.payload().text().contains(broken)) {
                    broken = "\u0000";
                    throw new StackOverflowError("as the test wants");
                }
                if (headHeld) {
                    throw new IllegalStateException("a lock was not given in time");
                }
                real.append(stream, entry, fence);
            }

            @Override
            public Set<StreamKey> holdFree(Collection<StreamKey> streams) {
                return headHeld ? Set.of() : real.holdFree(streams);
            }

            @Override
            public void openFence(StreamKey session, RunFence fence) {
                real.openFence(session, fence);
            }

            @Override
            public void closeFence(StreamKey session, RunFence fence) {
                real.closeFence(session, fence);
            }
        };
    }

    /** From now on, what is tried again later waits for {@link #releaseRetries}. */
    void holdRetries() {
        lock.lock();
        try {
            holdsRetries = true;
        } finally {
            lock.unlock();
        }
    }

    void releaseRetries() {
        List<Runnable> released;
        lock.lock();
        try {
            holdsRetries = false;
            released = List.copyOf(retries);
            retries.clear();
        } finally {
            lock.unlock();
        }
        released.forEach(writers::execute);
    }

    /** Tries again what waits; what fails in it waits for the next step. */
    void stepRetries() {
        List<Runnable> step;
        lock.lock();
        try {
            step = List.copyOf(retries);
            retries.clear();
        } finally {
            lock.unlock();
        }
        step.forEach(writers::execute);
    }

    /** Waits until something is to be tried again. */
    void awaitRetry() throws InterruptedException {
        lock.lock();
        try {
            long nanos = TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
            while (retries.isEmpty()) {
                if (nanos <= 0) {
                    throw new AssertionError("nothing failed");
                }
                nanos = grown.awaitNanos(nanos);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Lets the time be over that people have to decide; waits until somebody was asked. */
    void ringAlarms() throws InterruptedException {
        List<Runnable> ringing;
        lock.lock();
        try {
            long nanos = TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
            // The run is seen to wait once its approval is stored; its alarm is set a moment later.
            while (alarms.isEmpty()) {
                if (nanos <= 0) {
                    throw new AssertionError("nobody was asked");
                }
                nanos = grown.awaitNanos(nanos);
            }
            ringing = List.copyOf(alarms);
            alarms.clear();
        } finally {
            lock.unlock();
        }
        ringing.forEach(writers::execute);
    }

    private void later(Duration time, Runnable task) {
        lock.lock();
        try {
            if (time.compareTo(Duration.ofMinutes(1)) >= 0) {
                alarms.add(task);
                grown.signalAll();
                return;
            }
            if (holdsRetries) {
                retries.add(task);
                grown.signalAll();
                return;
            }
        } finally {
            lock.unlock();
        }
        writers.execute(task);
    }

    /** Runners get their thread no sooner than this opens. */
    void holdRunners(CountDownLatch until) {
        runnersMayBegin = until;
    }

    private void startRunner(Runnable runner) {
        CountDownLatch open = runnersMayBegin;
        runners.execute(() -> {
            awaitDeaf(open);
            runner.run();
        });
    }

    private void add(Object event) {
        lock.lock();
        try {
            shown.add(event);
            grown.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void clear() {
        lock.lock();
        try {
            shown.clear();
        } finally {
            lock.unlock();
        }
    }

    List<Object> shown() {
        lock.lock();
        try {
            return List.copyOf(shown);
        } finally {
            lock.unlock();
        }
    }

    void awaitShown(Predicate<Object> event) throws InterruptedException {
        lock.lock();
        try {
            long nanos = TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
            while (shown.stream().noneMatch(event)) {
                if (nanos <= 0) {
                    throw new AssertionError("not shown within " + WAIT_SECONDS + " s: " + words());
                }
                nanos = grown.awaitNanos(nanos);
            }
        } finally {
            lock.unlock();
        }
    }

    void awaitText(String delta) throws InterruptedException {
        awaitShown(event -> event instanceof Signal.Partial partial && delta.equals(partial.textDelta()));
    }

    void awaitRun(String runId, RunStatus status) throws InterruptedException {
        awaitShown(event -> event instanceof RunChanged changed
                && changed.value().id().equals(runId)
                && changed.value().status() == status);
    }

    CompletionStage<TurnResult> say(String text) {
        String event = "{\"type\":\"message\",\"role\":\"user\",\"content\":\"" + text + "\"}";
        return engine.message(new UserMessage(SESSION, text, Payload.of(event), text));
    }

    /** Stops the session's run; whether there was one. */
    boolean stop(String sessionId) throws InterruptedException {
        return cancelled(engine.stop(sessionId));
    }

    /** Cancels a run; whether it ended by that. */
    boolean cancel(String runId) throws InterruptedException {
        return cancelled(engine.cancel(runId));
    }

    static boolean cancelled(CompletionStage<Boolean> stage) throws InterruptedException {
        try {
            return stage.toCompletableFuture().get(WAIT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError("the end is not stored", e);
        }
    }

    static TurnResult result(CompletionStage<TurnResult> stage) throws InterruptedException {
        try {
            return stage.toCompletableFuture().get(WAIT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError("the turn did not end", e);
        }
    }

    static void await(CountDownLatch latch) throws InterruptedException {
        if (!latch.await(WAIT_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("not reached within " + WAIT_SECONDS + " s");
        }
    }

    /** Waits until a thread waits. */
    static void awaitState(Thread thread, Thread.State state) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
        while (thread.getState() != state) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("the thread is " + thread.getState() + ", not " + state);
            }
            Thread.onSpinWait();
        }
    }

    /** Waits as a runner that does not listen to interrupts. */
    static void awaitDeaf(CountDownLatch latch) {
        boolean reached = false;
        while (!reached) {
            try {
                await(latch);
                reached = true;
            } catch (InterruptedException e) {
                // Deaf.
            }
        }
    }

    List<StoredEntry> entries() {
        return entries(StreamKey.session(SESSION));
    }

    List<StoredEntry> entries(StreamKey stream) {
        return tidings.log().read(stream, 0, 100_000, Integer.MAX_VALUE);
    }

    RunInfo run(String runId) {
        return tidings.directory().run(runId).orElseThrow().value();
    }

    /** The details of a run as they are stored; empty text for none. */
    static String details(RunInfo run) {
        Payload details = run.details();
        return details == null ? "" : details.text();
    }

    /** The session that a run answers in. */
    static StreamKey sessionOf(RunInfo run) {
        String id = run.sessionId();
        if (id == null) {
            throw new AssertionError("a run without a session");
        }
        return StreamKey.session(id);
    }

    /** The runs of a tree, by (createdAt, id). */
    List<RunInfo> tree(String rootRunId) {
        return tidings.directory().runs(new Directory.RunQuery(rootRunId, null, null, null, 200));
    }

    /** The status of a run of the session when it is reached. */
    RunInfo awaitStatus(RunStatus status) throws InterruptedException {
        awaitShown(
                event -> event instanceof RunChanged changed && changed.value().status() == status);
        return shown().stream()
                .filter(event ->
                        event instanceof RunChanged changed && changed.value().status() == status)
                .map(event -> ((RunChanged) event).value())
                .findFirst()
                .orElseThrow();
    }

    /** The partials of a session that were opened and not closed. */
    java.util.Set<String> openPartials() {
        java.util.Set<String> open = new java.util.LinkedHashSet<>();
        for (Object event : shown()) {
            if (event instanceof Signal.Partial partial) {
                if (partial.done()) {
                    open.remove(partial.partialId());
                } else {
                    open.add(partial.partialId());
                }
            }
        }
        return open;
    }

    List<StoredEntry> entries(EntryKind kind) {
        return entries().stream().filter(entry -> entry.kind() == kind).toList();
    }

    /** The contents of the session's messages of a role. */
    List<String> messages(String role) {
        return entries(EntryKind.EVENT).stream()
                .map(entry -> entry.payload().textMembers(java.util.Set.of("role", "content")))
                .filter(members -> role.equals(members.get("role")))
                .map(members -> members.getOrDefault("content", ""))
                .toList();
    }

    SessionStatus sessionStatus() {
        return tidings.directory().session(SESSION).orElseThrow().value().status();
    }

    List<RunInfo> runs() {
        return tidings.directory().runs(new Directory.RunQuery(null, SESSION, null, null, 200));
    }

    /** All that was shown, one word an event. */
    List<String> words() {
        List<String> words = new ArrayList<>();
        for (Object event : shown()) {
            if (event instanceof EntriesStored stored) {
                stored.entries().forEach(entry -> words.add(word(entry)));
            } else if (event instanceof SessionChanged changed) {
                words.add("session " + changed.value().status().code());
            } else if (event instanceof RunChanged changed) {
                words.add("run " + changed.value().status().code());
            } else if (event instanceof Signal.Partial partial) {
                words.add(word(partial));
            }
        }
        return words;
    }

    private static String word(StoredEntry entry) {
        var members = entry.payload().textMembers(java.util.Set.of("role", "content", "type", "reason"));
        return switch (entry.kind()) {
            case APPROVAL -> members.getOrDefault("type", "");
            case EVENT ->
                members.getOrDefault("type", "").startsWith("tool_")
                        ? members.getOrDefault("type", "")
                        : members.get("role") + ": " + members.get("content");
            case RUN_FINISHED -> "finished " + members.getOrDefault("reason", members.getOrDefault("type", ""));
            default -> entry.kind().code();
        };
    }

    private static String word(Signal.Partial partial) {
        StringBuilder word = new StringBuilder("partial");
        if (partial.textDelta() != null) {
            word.append(" text ").append(partial.textDelta());
        }
        if (partial.usage() != null) {
            word.append(" usage ").append(partial.usage().total());
        }
        if (partial.activity() != null) {
            word.append(' ').append(partial.activity().phase().code());
            if (partial.activity().toolName() != null) {
                word.append(' ').append(partial.activity().toolName());
            }
        }
        return partial.done() ? word.append(" done").toString() : word.toString();
    }

    static RunLimits limits(int maxPendingBytes) {
        return limits(maxPendingBytes, false);
    }

    /** The same with the pieces of messages stored. */
    static RunLimits storing() {
        return limits(1 << 20, true);
    }

    private static RunLimits limits(int maxPendingBytes, boolean storeDeltas) {
        return new RunLimits(
                maxPendingBytes,
                1 << 20,
                Duration.ofMinutes(10),
                storeDeltas,
                Duration.ofMillis(1),
                Duration.ofSeconds(30),
                Duration.ofMillis(1),
                Duration.ofMillis(5),
                Duration.ofSeconds(WAIT_SECONDS));
    }

    /** Waits for all runners and writers to be done. */
    void quiet() throws InterruptedException {
        runners.shutdown();
        if (!runners.awaitTermination(WAIT_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("a runner did not end");
        }
    }

    @Override
    public void close() {
        engine.close();
        runners.shutdownNow();
        writers.shutdownNow();
    }
}
