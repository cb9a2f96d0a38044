package dev.tidings.protocol.agents;

import dev.tidings.Payload;
import dev.tidings.RunInfo;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.envelope.CborValue.MapValue;
import dev.tidings.envelope.DagCbor;
import dev.tidings.runs.LastMessage;
import dev.tidings.spi.EventLog;
import java.util.Optional;

/** What came of a run that has ended, out of what is stored of it. */
final class RunOutcome {
    private RunOutcome() {}

    /** The id of its last assistant message; empty if it stored none. */
    static String lastMessage(EventLog log, RunInfo run) {
        String sessionId = run.sessionId();
        return sessionId == null
                ? ""
                : LastMessage.of(log, StreamKey.session(sessionId), run.id())
                        .map(StoredEntry::id)
                        .orElse("");
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
