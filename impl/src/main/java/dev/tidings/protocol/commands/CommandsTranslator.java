package dev.tidings.protocol.commands;

import dev.tidings.EntryKind;
import dev.tidings.Payload;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.delivery.Channel;
import dev.tidings.delivery.Frame;
import dev.tidings.delivery.Translator;
import dev.tidings.protocol.json.JsonText;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A row of a session as this protocol shows it: exactly one event, whatever the row is, so that cursors have no hole.
 *
 * <p>There is one, so that all its subscriptions share the windows of their streams.
 *
 * <p>Threads: pure; any number at once. Source: protocols C, and "One session, three faces".
 */
final class CommandsTranslator implements Translator {
    static final CommandsTranslator INSTANCE = new CommandsTranslator();

    private static final int ROOM = 256;
    private static final Set<String> MEMBERS = Set.of(
            "content",
            "interrupted",
            "clientMessageId",
            "id",
            "name",
            "input",
            "toolCallId",
            "output",
            "error",
            "approvalId",
            "expiresAt",
            "reason",
            "runId",
            "message",
            "code",
            "text");

    private CommandsTranslator() {}

    /** The stream of a session as this protocol shows it. */
    static Channel channel(String sessionId) {
        return new Channel(INSTANCE, StreamKey.session(sessionId));
    }

    @Override
    public List<Frame> frames(StoredEntry entry) {
        return entry.stream().kind() == StreamKey.Kind.SESSION ? List.of(Frame.ofUtf8(event(entry))) : List.of();
    }

    /** {event_id, session_id, cursor, kind, payload, created_at}. */
    static byte[] event(StoredEntry entry) {
        JsonText json = new JsonText(entry.payload().size() + ROOM).open();
        json.text("event_id", entry.id());
        json.text("session_id", entry.stream().id());
        json.number("cursor", entry.position());
        body(json, entry);
        return json.number("created_at", entry.createdAt()).close().bytes();
    }

    private static void body(JsonText json, StoredEntry entry) {
        switch (entry.kind()) {
            case TEXT_DELTA ->
                kind(json, "text_delta")
                        .json("content", members(entry).get("text"))
                        .close();
            case RUN_STARTED ->
                kind(json, "run_started")
                        .json("run_id", members(entry).get("runId"))
                        .close();
            case RUN_FINISHED -> finished(json, members(entry));
            case EVENT, APPROVAL, JOURNAL -> event(json, entry);
        }
    }

    private static JsonText kind(JsonText json, String kind) {
        return json.text("kind", kind).name("payload").open();
    }

    private static Map<String, Payload> members(StoredEntry entry) {
        return entry.payload().members(MEMBERS);
    }

    private static void finished(JsonText json, Map<String, Payload> members) {
        kind(json, "run_finished").json("run_id", members.get("runId"));
        Payload reason = members.get("reason");
        if (reason != null) {
            json.json("reason", reason);
        } else {
            json.text("reason", "failed");
            json.name("error")
                    .open()
                    .json("code", members.get("code"))
                    .json("message", members.get("message"))
                    .close();
        }
        json.close();
    }

    private static void event(JsonText json, StoredEntry entry) {
        Map<String, String> words = entry.payload().textMembers(Set.of("type", "role"));
        String type = words.getOrDefault("type", "");
        String role = words.getOrDefault("role", "");
        boolean event = entry.kind() == EntryKind.EVENT;
        if (event && type.equals("message") && role.equals("user")) {
            Map<String, Payload> of = members(entry);
            kind(json, "user_message").json("content", of.get("content"));
            json.json("message_id", of.get("clientMessageId")).close();
        } else if (event && type.equals("message") && role.equals("assistant")) {
            Map<String, Payload> of = members(entry);
            kind(json, "assistant_message").json("content", of.get("content"));
            json.json("interrupted", of.get("interrupted")).close();
        } else if (event && type.equals("tool_call")) {
            Map<String, Payload> of = members(entry);
            kind(json, "tool_started").json("tool_call_id", of.get("id")).json("name", of.get("name"));
            json.json("input", of.get("input")).close();
        } else if (event && type.equals("tool_result")) {
            Map<String, Payload> of = members(entry);
            kind(json, "tool_finished")
                    .json("tool_call_id", of.get("toolCallId"))
                    .json("name", of.get("name"));
            json.json("output", of.get("output")).json("error", of.get("error")).close();
        } else if (entry.kind() == EntryKind.APPROVAL && type.startsWith("approval_")) {
            approval(json, type, members(entry));
        } else {
            json.text("kind", "event").json("payload", entry.payload());
        }
    }

    private static void approval(JsonText json, String type, Map<String, Payload> of) {
        kind(json, type).json("approval_id", of.get("approvalId"));
        if (type.equals("approval_requested")) {
            json.json("tool_call_id", of.get("toolCallId")).json("name", of.get("name"));
            json.json("input", of.get("input")).json("expires_at", of.get("expiresAt"));
        }
        json.json("reason", of.get("reason")).close();
    }

    /** {type: error, code, message}. */
    static Frame error(CommandRefusal refusal) {
        return Frame.ofUtf8(new JsonText(ROOM)
                .open()
                .text("type", "error")
                .text("code", refusal.code())
                .text("message", refusal.message())
                .close()
                .bytes());
    }
}
