package dev.tidings.protocol.conversations;

import dev.tidings.Payload;
import dev.tidings.StoredEntry;
import dev.tidings.protocol.json.JsonText;
import dev.tidings.spi.Feed.FeedRow;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The events as they are sent: {type, conversationId, timestamp, seq, data}.
 *
 * <p>Threads: pure; any number at once. Source: protocols B, and "One session, three faces".
 */
final class EventJson {
    static final String DELTA = "message.delta";
    static final String MESSAGE = "message.created";
    static final String PROGRESS = "run.progress";

    private static final Set<String> TYPE_AND_ROLE = Set.of("type", "role");
    private static final Payload CANCELLED = Payload.of("\"cancelled\"");
    private static final Payload NO_TEXT = Payload.of("\"\"");
    private static final Set<String> NAMED_ANEW = Set.of("type", "messageId", "runId");

    private EventJson() {}

    /** The event that shows a stored entry; null if its session was deleted. */
    static @Nullable Payload ofRow(FeedRow row) {
        StoredEntry entry = row.entry();
        if (entry == null) {
            return null;
        }
        return switch (entry.kind()) {
            case TEXT_DELTA -> event(row, entry, DELTA, delta(entry));
            case RUN_STARTED ->
                event(row, entry, "run.started", JsonText.object().text("runId", entry.runId()));
            case RUN_FINISHED -> finished(row, entry);
            case APPROVAL -> event(row, entry, PROGRESS, progress(entry));
            case EVENT, JOURNAL -> shown(row, entry);
        };
    }

    private static Payload shown(FeedRow row, StoredEntry entry) {
        String type = type(entry);
        if (type.equals("message") || type.equals("tool_result")) {
            return event(row, entry, MESSAGE, message(entry, JsonText.object()));
        }
        return event(row, entry, PROGRESS, progress(entry));
    }

    /** What an entry of a session is, by its payload. */
    static String type(StoredEntry entry) {
        return entry.payload().textMembers(TYPE_AND_ROLE).getOrDefault("type", "");
    }

    private static Payload finished(FeedRow row, StoredEntry entry) {
        JsonText data = JsonText.object().text("runId", entry.runId());
        Map<String, Payload> members = entry.payload().members();
        if (members.containsKey("code")) {
            String error = JsonText.object()
                    .json("code", members.get("code"))
                    .json("message", members.get("message"))
                    .close()
                    .text();
            return event(row, entry, "run.failed", data.json("error", error));
        }
        boolean cancelled = Objects.equals(members.get("reason"), CANCELLED);
        return event(row, entry, cancelled ? "run.cancelled" : "run.completed", data);
    }

    private static JsonText delta(StoredEntry entry) {
        Map<String, Payload> members = entry.payload().members();
        return JsonText.object()
                .json("messageId", members.get("partialId"))
                .text("runId", entry.runId())
                .json("delta", members.getOrDefault("text", NO_TEXT));
    }

    /** {messageId, runId?, role, content, …} behind what is there: a message, or what a tool gave. */
    static JsonText message(StoredEntry entry, JsonText data) {
        data.text("messageId", entry.id()).text("runId", entry.runId());
        Map<String, Payload> members = entry.payload().members();
        if (type(entry).equals("tool_result")) {
            data.text("role", "tool");
            Payload output = members.get("output");
            if (!members.containsKey("content")) {
                data.json("content", output == null ? members.get("error") : output);
            }
        }
        members.forEach((name, value) -> {
            if (!NAMED_ANEW.contains(name)) {
                data.json(name, value);
            }
        });
        return data;
    }

    /** {runId?, label, …}: a tool call, an approval, anything else. */
    private static JsonText progress(StoredEntry entry) {
        Map<String, Payload> members = entry.payload().members();
        String type = type(entry);
        JsonText data = JsonText.object().text("runId", entry.runId());
        if (members.isEmpty()) {
            return data.text("label", "event").json("event", entry.payload());
        }
        data.text("label", type.isEmpty() ? "event" : type);
        members.forEach((name, value) -> {
            if (!NAMED_ANEW.contains(name) && !name.equals("label")) {
                data.json(type.equals("tool_call") && name.equals("id") ? "toolCallId" : name, value);
            }
        });
        return data;
    }

    private static Payload event(FeedRow row, StoredEntry entry, String type, JsonText data) {
        return event(
                type,
                row.sessionId(),
                entry.createdAt(),
                row.seq(),
                data.close().text());
    }

    /** An event that is not stored, with its number. */
    static Payload ofNews(News news, long seq) {
        return event(news.type(), news.conversationId(), news.timestamp(), seq, news.data());
    }

    private static Payload event(String type, String conversationId, long timestamp, long seq, String data) {
        return Payload.ofUtf8(JsonText.object()
                .text("type", type)
                .text("conversationId", conversationId)
                .number("timestamp", timestamp)
                .number("seq", seq)
                .json("data", data)
                .close()
                .bytes());
    }

    /** Tells a peer that something it asked for is gone. */
    static String truncated(long oldestSeq) {
        String data = JsonText.object().number("oldestSeq", oldestSeq).close().text();
        return JsonText.object()
                .text("type", "replay.truncated")
                .json("data", data)
                .close()
                .text();
    }

    /** Tells a peer that it asked for more than there ever was. */
    static String reset(long latestSeq) {
        String data = JsonText.object().number("latestSeq", latestSeq).close().text();
        return JsonText.object()
                .text("type", "replay.reset")
                .json("data", data)
                .close()
                .text();
    }
}
