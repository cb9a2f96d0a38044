package dev.tidings.protocol.agents;

import dev.tidings.EntryKind;
import dev.tidings.Payload;
import dev.tidings.RunInfo;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.envelope.CborValue.MapValue;
import dev.tidings.envelope.DagCbor;
import dev.tidings.spi.EventLog;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What came of a run that has ended, out of what is stored of it. */
final class RunOutcome {
    private static final int PAGE_ENTRIES = 1_000;
    private static final int PAGE_BYTES = 1 << 20;
    private static final Map<String, String> ANSWER = Map.of("type", "message", "role", "assistant");

    private RunOutcome() {}

    /** The id of its last assistant message; empty if it stored none. Reads the session from its start. */
    static String lastMessage(EventLog log, RunInfo run) {
        String sessionId = run.sessionId();
        if (sessionId == null) {
            return "";
        }
        StreamKey session = StreamKey.session(sessionId);
        String last = "";
        long position = 0;
        while (true) {
            List<StoredEntry> page = log.read(session, position, PAGE_ENTRIES, PAGE_BYTES);
            if (page.isEmpty()) {
                return last;
            }
            for (StoredEntry entry : page) {
                if (entry.kind() == EntryKind.EVENT && run.id().equals(entry.runId()) && isAnswer(entry.payload())) {
                    last = entry.id();
                }
            }
            position = page.get(page.size() - 1).position();
        }
    }

    private static boolean isAnswer(Payload event) {
        return event.textMembers(Set.of("type", "role")).equals(ANSWER);
    }

    /** The answer to a turn that failed. */
    static ActionRefusal failure(RunInfo run) {
        Payload details = run.details();
        Optional<MapValue> error = details == null
                ? Optional.empty()
                : DagCbor.fromJson(details.toUtf8()) instanceof MapValue map ? map.map("error") : Optional.empty();
        return new ActionRefusal(
                502,
                error.flatMap(map -> map.text("code")).orElse(ActionCode.INTERNAL_ERROR.text()),
                error.flatMap(map -> map.text("message")).orElse("The run failed"));
    }
}
