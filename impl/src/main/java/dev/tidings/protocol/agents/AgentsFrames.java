package dev.tidings.protocol.agents;

import dev.tidings.RunActivity;
import dev.tidings.RunInfo;
import dev.tidings.RunUsage;
import dev.tidings.SessionInfo;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.delivery.Frame;
import dev.tidings.envelope.Refusal;
import dev.tidings.event.Signal;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The messages from server to client, each encoded once, whoever gets it.
 *
 * <p>Threads: pure; any number at once. Source: protocols A1, A4 to A8.
 */
final class AgentsFrames {
    private static final int ROOM = 512;

    /** An error repeats the key of the refused message, unless somebody sends a book for one. */
    private static final int LONGEST_KEY_REPEATED = 1024;

    private AgentsFrames() {}

    static Frame connected(long connectedAt) {
        return Frame.ofUtf8(JsonObjectWriter.object(json -> {
            json.text("_", "connected");
            json.number("connectedAt", connectedAt);
        }));
    }

    /** The answer for a key that has no log behind it. */
    static Frame subscribed(StreamKey key, String accountId) {
        return Frame.ofUtf8(JsonObjectWriter.object(json -> {
            json.text("_", "subscribed");
            json.text("key", key.text());
            json.text("accountId", accountId);
        }));
    }

    /** The answer for a key with a log. */
    static Frame subscribed(StreamKey key, String accountId, Standing standing) {
        return Frame.ofUtf8(JsonObjectWriter.object(json -> {
            json.text("_", "subscribed");
            json.text("key", key.text());
            json.text("accountId", accountId);
            json.text("epoch", standing.epoch());
            json.number("headSeq", standing.headSeq());
            json.text("status", standing.status());
            json.number("cursor", standing.cursor());
        }));
    }

    static Frame append(StoredEntry entry) {
        return Frame.ofUtf8(JsonObjectWriter.object(entry.payload().size() + ROOM, json -> {
            json.text("_", "append");
            json.text("key", entry.stream().text());
            json.object("event", event -> AgentsJson.write(event, entry));
        }));
    }

    static Frame appendPartial(Signal.Partial partial) {
        return Frame.ofUtf8(JsonObjectWriter.object(json -> {
            json.text("_", "appendPartial");
            json.text("key", StreamKey.session(partial.sessionId()).text());
            json.text("partialId", partial.partialId());
            json.object("patch", patch -> {
                patch.text("textDelta", partial.textDelta());
                if (partial.done()) {
                    patch.flag("done", true);
                }
                RunUsage usage = partial.usage();
                if (usage != null) {
                    patch.object("usage", members -> AgentsJson.write(members, usage));
                }
                RunActivity activity = partial.activity();
                if (activity != null) {
                    patch.object("activity", members -> AgentsJson.write(members, activity));
                }
            });
        }));
    }

    static Frame change(SessionInfo session) {
        return change(StreamKey.session(session.id()), AgentsJson.session(session));
    }

    static Frame change(RunInfo run) {
        return change(StreamKey.run(run.rootRunId()), AgentsJson.run(run));
    }

    /** A change whose value is already encoded. */
    static Frame change(StreamKey key, byte[] value) {
        return Frame.ofUtf8(JsonObjectWriter.object(value.length + ROOM, json -> {
            json.text("_", "change");
            json.text("key", key.text());
            json.raw("value", value, 0, value.length);
        }));
    }

    static Frame error(AgentsRefusal refusal, @Nullable String key) {
        return error(refusal.message(), refusal.code(), key, null, null);
    }

    static Frame error(Refusal refusal) {
        Long serverTime = orNull(refusal.serverTime());
        return error(refusal.message(), refusal.code().text(), null, serverTime, orNull(refusal.skewMillis()));
    }

    private static @Nullable Long orNull(OptionalLong number) {
        return number.isPresent() ? number.getAsLong() : null;
    }

    private static Frame error(
            String message, String code, @Nullable String key, @Nullable Long serverTime, @Nullable Long skewMillis) {
        return Frame.ofUtf8(JsonObjectWriter.object(json -> {
            json.text("_", "error");
            json.text("message", message);
            json.text("code", code);
            json.text("key", key != null && key.length() <= LONGEST_KEY_REPEATED ? key : null);
            json.number("serverTime", serverTime);
            json.number("skewMs", skewMillis);
        }));
    }
}
