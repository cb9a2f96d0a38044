package dev.tidings.runs;

import dev.tidings.EntryKind;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.spi.EventLog;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The last message that a run stored in its session. */
public final class LastMessage {
    private static final Map<String, String> ANSWER = Map.of("type", "message", "role", "assistant");

    private LastMessage() {}

    /** The entry; empty if the run stored none. Reads no further back than where the run began. Blocks on the log. */
    public static Optional<StoredEntry> of(EventLog log, StreamKey session, String runId) {
        return NewestFirst.find(log, session, entry -> isAnswer(entry, runId) || isBeginning(entry, runId))
                .filter(entry -> isAnswer(entry, runId));
    }

    private static boolean isAnswer(StoredEntry entry, String runId) {
        return entry.kind() == EntryKind.EVENT
                && runId.equals(entry.runId())
                && entry.payload().textMembers(Set.of("type", "role")).equals(ANSWER);
    }

    /** Nothing of a run stands before its start; of one that never began, nothing before what it was asked. */
    static boolean isBeginning(StoredEntry entry, String runId) {
        return entry.kind() == EntryKind.RUN_STARTED && runId.equals(entry.runId())
                || entry.id().equals(EntryIds.prompt(runId));
    }
}
