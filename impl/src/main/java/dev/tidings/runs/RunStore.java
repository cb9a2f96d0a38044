package dev.tidings.runs;

import dev.tidings.EntryKind;
import dev.tidings.NewEntry;
import dev.tidings.RunInfo;
import dev.tidings.RunStatus;
import dev.tidings.RunUsage;
import dev.tidings.SessionInfo;
import dev.tidings.SessionStatus;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.UnknownStreamException;
import dev.tidings.Versioned;
import dev.tidings.spi.RunFence;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of runs, each a new one. All of them lock the session's row first and the run's after it, so that
 * whoever looks whether a session has a live run sees no other answer until it has committed.
 *
 * <p>Threads: safe for use by many threads; every call blocks on a database. Errors: what the ports throw.
 */
final class RunStore {

    private static final int PAGE_ENTRIES = 1000;
    private static final int PAGE_BYTES = 1 << 20;

    private final RunEngine.Ports ports;
    private final String nodeId;
    private final InstantSource clock;
    private final RunIds ids;

    RunStore(RunEngine.Ports ports, String nodeId, InstantSource clock) {
        this.ports = ports;
        this.nodeId = nodeId;
        this.clock = clock;
        ids = new RunIds(clock);
    }

    /** A run that this node took, with all that a turn needs. */
    record Claim(RunInfo run, SessionInfo session, RunFence fence) {}

    /** What a run's end stores besides its status. */
    record Ending(
            Outcome outcome,
            @Nullable NewEntry lastMessage,
            @Nullable RunUsage usage,
            @Nullable String openPartialId) {}

    /**
     * Stores a user's message and a queued run for it.
     *
     * @param beforeCommit told of the run before anybody else can see it
     */
    RunInfo ask(UserMessage message, Consumer<String> beforeCommit) {
        StreamKey stream = StreamKey.session(message.sessionId());
        return ports.transactions().requiresNew(() -> {
            SessionInfo session =
                    lockSession(message.sessionId()).orElseThrow(() -> new UnknownStreamException(stream));
            // Stamped under the session's lock: the order of the turns is the order of their messages.
            RunIds.Stamp stamp = ids.next();
            RunInfo run = queued(message, session, stamp);
            ports.events()
                    .append(
                            stream,
                            new NewEntry(
                                    EntryIds.prompt(run.id()),
                                    EntryKind.EVENT,
                                    true,
                                    message.event(),
                                    null,
                                    stamp.millis()));
            ports.directoryWriter().create(run);
            beforeCommit.accept(run.id());
            return run;
        });
    }

    private static RunInfo queued(UserMessage message, SessionInfo session, RunIds.Stamp stamp) {
        return new RunInfo(
                stamp.id(),
                session.account(),
                stamp.id(),
                RunInfo.Lineage.ROOT,
                "agent",
                session.agentId(),
                session.id(),
                "user",
                message.title(),
                RunStatus.QUEUED,
                null,
                null,
                stamp.millis(),
                null,
                null,
                stamp.millis());
    }

    /**
     * Takes the oldest queued run of a session, unless it has a live one.
     *
     * @param beforeCommit told of the claim before anybody else can see it
     */
    Optional<Claim> claim(String sessionId, Consumer<Claim> beforeCommit) {
        return ports.transactions().requiresNew(() -> {
            Optional<RunInfo> next = lockSession(sessionId).flatMap(session -> nextQueued(sessionId));
            Optional<Claim> claim = next.map(run -> claimLocked(sessionId, run));
            claim.ifPresent(beforeCommit);
            return claim;
        });
    }

    private Claim claimLocked(String sessionId, RunInfo queued) {
        long now = clock.millis();
        SessionInfo session = changeSession(sessionId, s -> s.withStatus(SessionStatus.STREAMING, now))
                .orElseThrow(() -> new UnknownStreamException(StreamKey.session(sessionId)));
        RunInfo run = ports.directoryWriter()
                .changeRun(queued.id(), r -> r.withStatus(RunStatus.RUNNING, now))
                .orElseThrow(() -> new IllegalStateException("a queued run is gone"))
                .value();
        RunFence fence = ports.ledger().take(run.id(), nodeId);
        StreamKey stream = StreamKey.session(sessionId);
        ports.events().openFence(stream, fence);
        ports.events()
                .append(
                        stream,
                        new NewEntry(
                                EntryIds.started(run.id(), fence.attempt()),
                                EntryKind.RUN_STARTED,
                                false,
                                RunJson.started(run.id()),
                                run.id(),
                                now));
        return new Claim(run, session, fence);
    }

    /** Stores an entry of a live run. */
    void append(String sessionId, NewEntry entry, RunFence fence) {
        ports.transactions().requiresNew(() -> {
            ports.events().append(StreamKey.session(sessionId), entry, fence);
            return true;
        });
    }

    /** Ends a run, once: false if it has ended already, or is gone. */
    boolean end(RunInfo run, RunFence fence, Ending ending) {
        String sessionId = run.sessionId();
        return ports.transactions().requiresNew(() -> {
            boolean sessionThere = sessionId != null && lockSession(sessionId).isPresent();
            if (lockRun(run.id()).filter(RunStore::isLive).isEmpty()) {
                return false;
            }
            if (sessionId != null && sessionThere) {
                StreamKey stream = StreamKey.session(sessionId);
                NewEntry last = ending.lastMessage();
                if (last != null) {
                    ports.events().append(stream, last, fence);
                }
                ports.events().append(stream, finished(run.id(), ending), fence);
                ports.events().closeFence(stream, fence);
            }
            changeRows(run.id(), sessionId, ending);
            return true;
        });
    }

    static boolean isLive(RunInfo run) {
        return run.status() != RunStatus.QUEUED && !run.status().terminal();
    }

    /** Protocols A6: after a success the run's change comes before the session's, else behind it. */
    private void changeRows(String runId, @Nullable String sessionId, Ending ending) {
        Outcome outcome = ending.outcome();
        long now = clock.millis();
        boolean runFirst = outcome.run() == RunStatus.SUCCEEDED;
        if (runFirst) {
            changeRun(runId, ending, now);
        }
        // A session that was stopped for good meanwhile stays stopped.
        if (sessionId != null) {
            changeSession(
                    sessionId, s -> s.status() == SessionStatus.STREAMING ? s.withStatus(outcome.session(), now) : s);
        }
        if (!runFirst) {
            changeRun(runId, ending, now);
        }
    }

    private NewEntry finished(String runId, Ending ending) {
        boolean failed = ending.outcome() instanceof Outcome.Failed;
        return new NewEntry(
                EntryIds.finished(runId),
                EntryKind.RUN_FINISHED,
                failed,
                RunJson.finished(runId, ending.outcome(), ending.openPartialId()),
                runId,
                clock.millis());
    }

    private void changeRun(String runId, Ending ending, long now) {
        ports.directoryWriter().changeRun(runId, run -> {
            RunUsage usage = ending.usage() == null ? run.usage() : ending.usage();
            return run.withStatus(ending.outcome().run(), now)
                    .withDetails(
                            ending.outcome() instanceof Outcome.Failed failed
                                    ? RunJson.withError(run.details(), failed)
                                    : run.details(),
                            usage);
        });
    }

    private Optional<SessionInfo> changeSession(String sessionId, UnaryOperator<SessionInfo> change) {
        return ports.directoryWriter().changeSession(sessionId, change).map(Versioned::value);
    }

    /** Cancels the oldest queued run of a session that has no live one, and gives its id. */
    Optional<String> cancelQueued(String sessionId) {
        return ports.transactions().requiresNew(() -> {
            Optional<RunInfo> next = lockSession(sessionId).flatMap(session -> nextQueued(sessionId));
            next.ifPresent(run -> {
                Ending ending = new Ending(new Outcome.Canceled(), null, null, null);
                ports.events().append(StreamKey.session(sessionId), finished(run.id(), ending));
                changeRun(run.id(), ending, clock.millis());
            });
            return next.map(RunInfo::id);
        });
    }

    /** The queued run whose turn it is; none while another is live. Under the session's lock a firm answer. */
    private Optional<RunInfo> nextQueued(String sessionId) {
        return ports.directory()
                .activeRun(sessionId)
                .filter(run -> run.status() == RunStatus.QUEUED)
                .flatMap(run -> lockRun(run.id()))
                .filter(run -> run.status() == RunStatus.QUEUED);
    }

    private Optional<SessionInfo> lockSession(String sessionId) {
        return changeSession(sessionId, s -> s);
    }

    private Optional<RunInfo> lockRun(String runId) {
        return ports.directoryWriter().changeRun(runId, r -> r).map(Versioned::value);
    }

    /** What a run is now; empty if it is gone. */
    Optional<RunInfo> look(String runId) {
        return ports.directory().run(runId).map(Versioned::value);
    }

    /** The text of the message that asked for a run, out of the log. */
    String prompt(String sessionId, String runId) {
        String id = EntryIds.prompt(runId);
        return find(sessionId, entry -> entry.id().equals(id))
                .map(entry -> entry.payload().textMembers(Set.of("content")).get("content"))
                .orElse("");
    }

    /** Whether a write whose outcome is not known was stored. */
    boolean stored(String sessionId, String entryId) {
        return find(sessionId, entry -> entry.id().equals(entryId)).isPresent();
    }

    /** The partial that a run was at when it was cut: that of the first message that it did not store. */
    String openPartial(String sessionId, String runId) {
        AtomicInteger segment = new AtomicInteger(1);
        find(sessionId, entry -> {
            if (entry.id().equals(EntryIds.segment(runId, segment.get()))) {
                segment.incrementAndGet();
            }
            return false;
        });
        return EntryIds.segment(runId, segment.get());
    }

    private Optional<StoredEntry> find(String sessionId, Predicate<StoredEntry> wanted) {
        StreamKey stream = StreamKey.session(sessionId);
        long position = 0;
        while (true) {
            List<StoredEntry> page = ports.log().read(stream, position, PAGE_ENTRIES, PAGE_BYTES);
            if (page.isEmpty()) {
                return Optional.empty();
            }
            Optional<StoredEntry> found = page.stream().filter(wanted).findFirst();
            if (found.isPresent()) {
                return found;
            }
            position = page.get(page.size() - 1).position();
        }
    }
}
