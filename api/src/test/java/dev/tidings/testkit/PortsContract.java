package dev.tidings.testkit;

import dev.tidings.AgentInfo;
import dev.tidings.EntryKind;
import dev.tidings.NewEntry;
import dev.tidings.Payload;
import dev.tidings.RunInfo;
import dev.tidings.RunStatus;
import dev.tidings.SessionInfo;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.event.EntriesStored;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What the contracts share: ports and the rows that most tests begin with. */
abstract class PortsContract {

    /** The ports under test; the same at every call within one test. */
    protected abstract Ports ports();

    static String fresh(String what) {
        return what + "-" + UUID.randomUUID();
    }

    static AgentInfo agentInfo(String id, String account, boolean publicRead) {
        return new AgentInfo(
                id,
                account,
                Payload.of("{\"name\":\"n\",\"seed\":18446744073709551615}"),
                null,
                AgentInfo.AgentStatus.IDLE,
                1_000,
                1_000,
                publicRead);
    }

    static RunInfo runInfo(
            String id, String root, @Nullable String agentId, @Nullable String sessionId, RunStatus status, long at) {
        RunInfo.Lineage lineage = root.equals(id) ? RunInfo.Lineage.ROOT : new RunInfo.Lineage(root, "call", 1, 0);
        return new RunInfo(
                id, "owner", root, lineage, "agent", agentId, sessionId, "user", "title", status, null, null, at, null,
                null, at);
    }

    static NewEntry event(String id, String json) {
        return new NewEntry(id, EntryKind.EVENT, true, Payload.of(json), null, 5_000);
    }

    static NewEntry delta(String id) {
        return new NewEntry(id, EntryKind.TEXT_DELTA, false, Payload.of("{\"text\":\"t\"}"), null, 5_000);
    }

    static NewEntry journal(String id, String runId) {
        return new NewEntry(id, EntryKind.JOURNAL, true, Payload.of("{}"), runId, 5_000);
    }

    String newAgent(String owner) {
        String id = fresh("agent");
        inTransaction(() -> ports().directoryWriter().create(agentInfo(id, owner, false)));
        return id;
    }

    StreamKey newSession() {
        return newSession("owner", fresh("agent"));
    }

    StreamKey newSession(String owner, String agentId) {
        String id = fresh("session");
        inTransaction(() -> ports().directoryWriter().create(SessionInfo.idle(id, owner, agentId, null, 1_000)));
        return StreamKey.session(id);
    }

    String newRun(@Nullable String agentId, @Nullable String sessionId, RunStatus status) {
        String id = fresh("run");
        inTransaction(() -> ports().directoryWriter().create(runInfo(id, id, agentId, sessionId, status, 1_000)));
        return id;
    }

    void inTransaction(Runnable work) {
        ports().transactions().run(work);
    }

    List<StoredEntry> all(StreamKey stream) {
        return ports().log().read(stream, 0, 10_000, Integer.MAX_VALUE);
    }

    List<String> ids(StreamKey stream) {
        return all(stream).stream().map(StoredEntry::id).toList();
    }

    List<EntriesStored> storedEvents() {
        return eventsOf(EntriesStored.class);
    }

    <E> List<E> eventsOf(Class<E> type) {
        List<E> found = new ArrayList<>();
        for (Object event : ports().takeEvents()) {
            if (type.isInstance(event)) {
                found.add(type.cast(event));
            }
        }
        return found;
    }
}
