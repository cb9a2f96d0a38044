package dev.tidings.protocol.conversations;

import dev.tidings.EntryKind;
import dev.tidings.Payload;
import dev.tidings.RunActivity;
import dev.tidings.RunInfo;
import dev.tidings.RunStatus;
import dev.tidings.SessionInfo;
import dev.tidings.StoredEntry;
import dev.tidings.Versioned;
import dev.tidings.event.AgentDeleted;
import dev.tidings.event.EntriesStored;
import dev.tidings.event.RunChanged;
import dev.tidings.event.SessionChanged;
import dev.tidings.event.SessionDeleted;
import dev.tidings.event.Signal;
import dev.tidings.protocol.json.JsonText;
import dev.tidings.spi.Directory;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What domain events mean for those who watch conversations, beyond the entries themselves, which are shown as they are
 * stored: queues, changes, what happens in runs of other runs, and what only passes.
 *
 * <p>It remembers the runs and sessions that it has seen last, and asks the directory for others. Errors: what the directory
 * throws; then nothing was done, and the event may be given again.
 *
 * <p>Threads: confined to the pump's. Source: protocols B.
 */
final class Happenings {
    private static final int MOST_KNOWN = 10_000;
    private static final int LONGEST_QUEUE = 200;

    private final Directory directory;
    private final InstantSource clock;
    // Confined, all of them: the pump's thread.
    private final Map<String, KnownRun> runs = new Remembered<>();
    private final Map<String, KnownSession> sessions = new Remembered<>();
    private final Map<String, Boolean> deleted = new Remembered<>();

    /** A run as it was last seen; what an event says is older than that is passed over. */
    private record KnownRun(
            @Nullable String sessionId,
            @Nullable String parentRunId,
            @Nullable RunStatus status,
            long version) {}

    private record KnownSession(
            String agentId,
            @Nullable String parentId,
            @Nullable String runId) {}

    /** The last so many of a kind. */
    private static final class Remembered<V> extends LinkedHashMap<String, V> {
        private static final long serialVersionUID = 1L;

        Remembered() {
            super(64, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
            return size() > MOST_KNOWN;
        }
    }

    Happenings(Directory directory, InstantSource clock) {
        this.directory = directory;
        this.clock = clock;
    }

    /** What an event means; in order. May ask the directory. */
    List<News> news(Object event) {
        if (event instanceof EntriesStored stored) {
            return stored(stored);
        } else if (event instanceof SessionChanged change) {
            return changed(change.value(), change.created());
        } else if (event instanceof SessionDeleted deleted) {
            return deleted(Set.of(deleted.sessionId()), deleted.agentId());
        } else if (event instanceof AgentDeleted deleted) {
            return deleted(deleted.sessionIds(), deleted.agentId());
        } else if (event instanceof RunChanged change) {
            return changed(change);
        } else if (event instanceof Signal.Partial partial) {
            return partial(partial);
        } else if (event instanceof Signal.Progress progress) {
            return progress(progress);
        }
        return List.of();
    }

    // ---- entries

    private List<News> stored(EntriesStored stored) {
        List<News> news = new ArrayList<>();
        String sessionId = stored.stream().id();
        for (StoredEntry entry : stored.entries()) {
            String type = entry.kind() == EntryKind.EVENT ? EventJson.type(entry) : "";
            if (type.equals("tool_result")) {
                JsonText data = JsonText.object().text("runId", entry.runId()).text("label", "tool_result");
                Map<String, Payload> members = entry.payload().members();
                data.json("name", members.get("name")).json("toolCallId", members.get("toolCallId"));
                add(news, EventJson.PROGRESS, sessionId, data);
            }
            if (type.equals("tool_result") || type.equals("message")) {
                subagentMessage(entry, sessionId, news);
            }
        }
        return news;
    }

    private void subagentMessage(StoredEntry entry, String sessionId, List<News> news) {
        KnownSession session = session(sessionId).orElse(null);
        String parent = session == null ? null : session.parentId();
        String runId = session == null ? null : session.runId();
        if (parent == null) {
            return;
        }
        String parentRun =
                runId == null ? null : run(runId).map(KnownRun::parentRunId).orElse(null);
        JsonText data = JsonText.object().text("parentRunId", parentRun).text("childConversationId", sessionId);
        if (entry.runId() == null) {
            data.text("runId", runId);
        }
        add(news, "subagent.message.created", parent, sessionId, EventJson.message(entry, data));
    }

    // ---- rows

    private List<News> changed(SessionInfo session, boolean created) {
        sessions.put(session.id(), known(session));
        JsonText data = JsonText.object()
                .text("agentId", session.agentId())
                .text("title", session.title())
                .text("status", session.status().code())
                .number("createdAt", session.createdAt())
                .number("updatedAt", session.updatedAt())
                .text("parentConversationId", session.parentSessionId())
                .json("model", session.modelOverride())
                .json("plan", session.plan())
                .text("description", session.description());
        if (created) {
            data.flag("created", true);
        }
        List<News> news = new ArrayList<>();
        add(news, "conversation.updated", session.id(), data);
        return news;
    }

    /** Each is told once, though the deletion may be heard of and found as well. */
    private List<News> deleted(Set<String> sessionIds, String agentId) {
        long now = clock.millis();
        List<News> news = new ArrayList<>();
        for (String sessionId : sessionIds) {
            sessions.remove(sessionId);
            if (deleted.put(sessionId, true) == null) {
                news.add(News.deleted(sessionId, agentId, now));
            }
        }
        return news;
    }

    private List<News> changed(RunChanged change) {
        RunInfo run = change.value();
        KnownRun before = runs.get(run.id());
        if (before != null && before.version() >= change.version()) {
            return List.of();
        }
        KnownRun after = new KnownRun(run.sessionId(), run.lineage().parentRunId(), run.status(), change.version());
        List<News> news = new ArrayList<>();
        RunStatus was = before == null ? null : before.status();
        boolean waited = was == RunStatus.QUEUED || was == RunStatus.CLAIMED;
        if (waited && run.status().terminal() && run.startedAt() != null) {
            // That it began was joined with its end while too much waited.
            step(run, was, RunStatus.RUNNING, news);
            was = RunStatus.RUNNING;
        }
        if (run.status() != was) {
            step(run, was, run.status(), news);
        }
        runs.put(run.id(), after);
        return news;
    }

    private void step(RunInfo run, @Nullable RunStatus was, RunStatus now, List<News> news) {
        queue(run, was, now, news);
        if (run.lineage().parentRunId() != null) {
            subagent(run, was, now, news);
        }
    }

    private void queue(RunInfo run, @Nullable RunStatus was, RunStatus now, List<News> news) {
        boolean waited = was == null || was == RunStatus.QUEUED || was == RunStatus.CLAIMED;
        String action = null;
        if (now == RunStatus.QUEUED) {
            action = "added";
        } else if (now.terminal()) {
            action = was == RunStatus.QUEUED ? "removed" : "completed";
        } else if (now == RunStatus.RUNNING && waited) {
            action = "started";
        }
        String sessionId = run.sessionId();
        if (action != null && sessionId != null) {
            int length = directory
                    .runs(new Directory.RunQuery(null, sessionId, null, RunStatus.QUEUED, LONGEST_QUEUE))
                    .size();
            JsonText data = JsonText.object()
                    .number("length", length)
                    .text("action", action)
                    .text("runId", run.id());
            add(news, "queue.updated", sessionId, data);
        }
    }

    private void subagent(RunInfo run, @Nullable RunStatus was, RunStatus now, List<News> news) {
        String parentRun = run.lineage().parentRunId();
        String parent = parentRun == null
                ? null
                : run(parentRun).map(KnownRun::sessionId).orElse(null);
        boolean begins = now == RunStatus.RUNNING && was != RunStatus.WAITING;
        if (parent == null || !(begins || now.terminal())) {
            return;
        }
        JsonText data = JsonText.object()
                .text("runId", run.id())
                .text("parentRunId", parentRun)
                .text("childConversationId", run.sessionId())
                .text("title", run.title());
        if (now == RunStatus.RUNNING) {
            add(news, "subagent.started", parent, run.sessionId(), data);
        } else if (now == RunStatus.SUCCEEDED) {
            add(news, "subagent.completed", parent, run.sessionId(), data);
        } else {
            add(news, "subagent.failed", parent, run.sessionId(), data.json("error", error(run)));
        }
    }

    private static String error(RunInfo run) {
        if (run.status() == RunStatus.CANCELED) {
            return JsonText.object()
                    .text("code", "cancelled")
                    .text("message", "The run was cancelled.")
                    .close()
                    .text();
        }
        Payload details = run.details();
        Payload error = details == null ? null : details.members().get("error");
        return error == null ? "{\"code\":\"failed\"}" : error.text();
    }

    // ---- what passes

    private List<News> partial(Signal.Partial partial) {
        List<News> news = new ArrayList<>();
        RunActivity activity = partial.activity();
        // What is stored, too, is shown as the entry that it becomes, and once.
        if (partial.textDelta() != null && !partial.stored()) {
            JsonText data =
                    JsonText.object().text("messageId", partial.partialId()).text("delta", partial.textDelta());
            add(news, EventJson.DELTA, partial.sessionId(), data);
        }
        if (activity != null && activity.outputTail() != null) {
            JsonText data = JsonText.object()
                    .text("label", "tool_output")
                    .text("toolCallId", activity.toolCallId())
                    .text("name", activity.toolName())
                    .text("outputTail", activity.outputTail());
            add(news, EventJson.PROGRESS, partial.sessionId(), data);
        }
        return news;
    }

    private List<News> progress(Signal.Progress progress) {
        String sessionId = run(progress.runId()).map(KnownRun::sessionId).orElse(null);
        List<News> news = new ArrayList<>();
        if (sessionId != null && (progress.label() != null || progress.fraction() != null)) {
            JsonText data = JsonText.object()
                    .text("runId", progress.runId())
                    .text("label", progress.label())
                    .number("fraction", progress.fraction());
            add(news, EventJson.PROGRESS, sessionId, data);
        }
        return news;
    }

    // ---- what is known

    private void add(List<News> news, String type, String conversationId, JsonText data) {
        add(news, type, conversationId, null, data);
    }

    private void add(List<News> news, String type, String conversationId, @Nullable String childId, JsonText data) {
        session(conversationId)
                .ifPresent(session -> news.add(new News(
                        type,
                        conversationId,
                        childId,
                        session.agentId(),
                        clock.millis(),
                        data.close().text())));
    }

    private Optional<KnownSession> session(String sessionId) {
        KnownSession known = sessions.get(sessionId);
        if (known == null) {
            known = directory
                    .session(sessionId)
                    .map(Versioned::value)
                    .map(Happenings::known)
                    .orElse(null);
            if (known != null) {
                sessions.put(sessionId, known);
            }
        }
        return Optional.ofNullable(known);
    }

    private static KnownSession known(SessionInfo session) {
        return new KnownSession(session.agentId(), session.parentSessionId(), session.runId());
    }

    private Optional<KnownRun> run(String runId) {
        KnownRun known = runs.get(runId);
        if (known == null) {
            known = directory
                    .run(runId)
                    .map(run -> new KnownRun(
                            run.value().sessionId(), run.value().lineage().parentRunId(), null, 0))
                    .orElse(null);
            if (known != null) {
                runs.put(runId, known);
            }
        }
        return Optional.ofNullable(known);
    }
}
