package dev.tidings.runs;

import dev.tidings.Approval;
import dev.tidings.EntryKind;
import dev.tidings.NewEntry;
import dev.tidings.Payload;
import dev.tidings.RunInfo;
import dev.tidings.RunStatus;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.Versioned;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What is stored of runs, for reading. Entries are looked for from the end of a session, and no further back than where
 * their run began.
 *
 * <p>Threads: safe for use by many threads; every call blocks on a database. Errors: what the ports throw.
 */
final class StoredRuns {

    private static final int PAGE_ENTRIES = 1000;
    private static final int PAGE_BYTES = 1 << 20;

    private final RunEngine.Ports ports;
    private final InstantSource clock;

    StoredRuns(RunEngine.Ports ports, InstantSource clock) {
        this.ports = ports;
        this.clock = clock;
    }

    static boolean isLive(RunInfo run) {
        return run.status() != RunStatus.QUEUED && !run.status().terminal();
    }

    /** What a run is now; empty if it is gone. */
    Optional<RunInfo> look(String runId) {
        return ports.directory().run(runId).map(Versioned::value);
    }

    /** Whether a run has ended or is gone; one whose claim is not committed yet is queued, and not over. */
    boolean isOver(String runId) {
        return look(runId).filter(run -> !run.status().terminal()).isEmpty();
    }

    /** The run of a session that is claimed, running or waiting. */
    Optional<RunInfo> live(String sessionId) {
        return ports.directory().activeRun(sessionId).filter(StoredRuns::isLive);
    }

    Optional<Approval> approval(String approvalId) {
        return ports.approvals().find(approvalId);
    }

    /** How a run ended, for whoever waited for it. */
    TurnResult result(RunInfo ended) {
        if (ended.status() == RunStatus.FAILED) {
            Payload details = ended.details();
            Payload error =
                    details == null ? null : details.members(Set.of("error")).get("error");
            Map<String, String> told = error == null ? Map.of() : error.textMembers(Set.of("code", "message"));
            return new TurnResult.Failed(
                    ended.id(),
                    told.getOrDefault("code", Outcome.Failed.INTERNAL.code()),
                    told.getOrDefault("message", Outcome.Failed.INTERNAL.publicText()));
        }
        return new TurnResult.Ended(
                ended.id(), lastMessage(ended).map(StoredEntry::id).orElse(""), ended.status() == RunStatus.CANCELED);
    }

    /** The text of a run's last message; empty if it stored none. */
    String lastText(RunInfo run) {
        return lastMessage(run)
                .map(entry -> entry.payload().textMembers(Set.of("content")).getOrDefault("content", ""))
                .orElse("");
    }

    private Optional<StoredEntry> lastMessage(RunInfo run) {
        String sessionId = run.sessionId();
        return sessionId == null
                ? Optional.empty()
                : LastMessage.of(ports.log(), StreamKey.session(sessionId), run.id());
    }

    /** The text of the message that asked for a run, out of the log. */
    String prompt(String sessionId, String runId) {
        String id = EntryIds.prompt(runId);
        return NewestFirst.find(
                        ports.log(),
                        StreamKey.session(sessionId),
                        entry -> entry.id().equals(id))
                .map(entry -> entry.payload().textMembers(Set.of("content")).get("content"))
                .orElse("");
    }

    /** Whether a write of a run whose outcome is not known was stored. */
    boolean stored(String sessionId, String runId, String entryId) {
        return NewestFirst.find(
                        ports.log(),
                        StreamKey.session(sessionId),
                        entry -> entry.id().equals(entryId) || LastMessage.isBeginning(entry, runId))
                .filter(entry -> entry.id().equals(entryId))
                .isPresent();
    }

    /**
     * Whether a journal entry whose outcome is not known was stored.
     *
     * @param before how many of the run were stored before it
     */
    boolean journalled(RunInfo run, String entryId, long before) {
        return ports.log().readRun(StreamKey.run(run.rootRunId()), run.id(), before, 1, PAGE_BYTES).stream()
                .anyMatch(entry -> entry.id().equals(entryId));
    }

    /** Whether anything was written to the tree of a run. */
    boolean treeHasEntries(RunInfo run) {
        return ports.log().head(StreamKey.run(run.rootRunId())).position() > 0;
    }

    /**
     * Where a run was when it was cut.
     *
     * @param partialId the partial that was open: that of the first message that it did not store
     * @param message the text so far of that message, as far as it was stored, as an interrupted one; null without text
     */
    record Cut(String partialId, @Nullable NewEntry message) {}

    Cut cut(String sessionId, String runId) {
        StreamKey session = StreamKey.session(sessionId);
        long begun = NewestFirst.find(ports.log(), session, entry -> LastMessage.isBeginning(entry, runId))
                .map(StoredEntry::position)
                .orElse(0L);
        Segments segments = new Segments(runId);
        each(session, begun, segments);
        String partial = EntryIds.segment(runId, segments.current);
        if (segments.text.isEmpty()) {
            return new Cut(partial, null);
        }
        Payload answer = RunJson.answer(segments.text.toString(), true, null, new RunJson.Meta(null, null));
        return new Cut(partial, new NewEntry(partial, EntryKind.EVENT, true, answer, runId, clock.millis()));
    }

    /** The message in progress, as the entries tell it. Confined: one call. */
    private static final class Segments implements Consumer<StoredEntry> {
        private final String runId;
        private final StringBuilder text = new StringBuilder();
        private int current = 1;

        Segments(String runId) {
            this.runId = runId;
        }

        @Override
        public void accept(StoredEntry entry) {
            if (entry.id().equals(EntryIds.segment(runId, current))) {
                current++;
                text.setLength(0);
            } else if (entry.kind() == EntryKind.TEXT_DELTA && runId.equals(entry.runId())) {
                text.append(entry.payload().textMembers(Set.of("text")).getOrDefault("text", ""));
            }
        }
    }

    private void each(StreamKey stream, long after, Consumer<StoredEntry> each) {
        long position = after;
        List<StoredEntry> page = ports.log().read(stream, position, PAGE_ENTRIES, PAGE_BYTES);
        while (!page.isEmpty()) {
            page.forEach(each);
            position = page.get(page.size() - 1).position();
            page = ports.log().read(stream, position, PAGE_ENTRIES, PAGE_BYTES);
        }
    }
}
