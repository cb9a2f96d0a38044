package dev.tidings.protocol.agents;

import dev.tidings.AgentInfo;
import dev.tidings.Role;
import dev.tidings.RunActivity;
import dev.tidings.RunUsage;
import dev.tidings.SessionInfo;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.delivery.Frame;
import dev.tidings.envelope.Refusal;
import dev.tidings.event.Signal;
import dev.tidings.protocol.json.JsonText;
import java.util.Map;
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
        return Frame.ofUtf8(JsonText.object(json -> {
            json.text("_", "connected");
            json.number("connectedAt", connectedAt);
        }));
    }

    /** The answer for a key that has no log behind it. */
    static Frame subscribed(StreamKey key, String accountId) {
        return Frame.ofUtf8(JsonText.object(json -> {
            json.text("_", "subscribed");
            json.text("key", key.text());
            json.text("accountId", accountId);
        }));
    }

    /** The answer for a key with a log. */
    static Frame subscribed(StreamKey key, String accountId, Standing standing) {
        return Frame.ofUtf8(JsonText.object(json -> {
            json.text("_", "subscribed");
            json.text("key", key.text());
            json.text("accountId", accountId);
            json.text("epoch", standing.epoch());
            json.number("headSeq", standing.headSeq());
            json.text("status", standing.status());
            json.number("cursor", standing.cursor());
        }));
    }

    /** The answer to Unsubscribe. */
    static Frame unsubscribed(StreamKey key) {
        return aboutKey("unsubscribed", key);
    }

    /** Access to a key has ended, or what it names was deleted. */
    static Frame revoked(StreamKey key) {
        return aboutKey("revoked", key);
    }

    private static Frame aboutKey(String what, StreamKey key) {
        return Frame.ofUtf8(JsonText.object(json -> {
            json.text("_", what);
            json.text("key", key.text());
        }));
    }

    /** How far the logs of some keys reach. */
    static Frame heartbeat(Map<StreamKey, Long> heads) {
        return Frame.ofUtf8(JsonText.object(json -> {
            json.text("_", "heartbeat");
            json.object("heads", members -> {
                for (Map.Entry<StreamKey, Long> head : heads.entrySet()) {
                    members.number(head.getKey().text(), head.getValue());
                }
            });
        }));
    }

    /** An entry of a run's journal, under the key that the tree was asked for. */
    static Frame append(StreamKey key, String runId, StoredEntry entry) {
        return Frame.ofUtf8(JsonText.object(entry.payload().size() + ROOM, json -> {
            json.text("_", "append");
            json.text("key", key.text());
            json.text("runId", runId);
            json.number("seq", entry.seq());
            json.json("entry", entry.payload());
            json.number("createdAt", entry.createdAt());
            json.number("cursor", entry.position());
        }));
    }

    static Frame append(StoredEntry entry) {
        return Frame.ofUtf8(JsonText.object(entry.payload().size() + ROOM, json -> {
            json.text("_", "append");
            json.text("key", entry.stream().text());
            json.object("event", event -> AgentsJson.write(event, entry));
        }));
    }

    static Frame appendPartial(Signal.Partial partial) {
        return Frame.ofUtf8(JsonText.object(json -> {
            json.text("_", "appendPartial");
            json.text("key", StreamKey.session(partial.sessionId()).text());
            json.text("partialId", partial.partialId());
            json.object("patch", patch -> {
                patch.text("textDelta", partial.textDelta());
                if (partial.done()) {
                    patch.flag("done", true);
                }
                writeState(patch, partial.usage(), partial.activity());
            });
        }));
    }

    /** A piece of text, or several that were joined. */
    static Frame textDelta(String sessionId, String partialId, String text) {
        return appendPartial(Signal.Partial.text(sessionId, partialId, text));
    }

    /** The text of a partial from its beginning, for whoever joins it. */
    static Frame textSoFar(String sessionId, String partialId, String text) {
        return Frame.ofUtf8(JsonText.object(text.length() + ROOM, json -> {
            json.text("_", "appendPartial");
            json.text("key", StreamKey.session(sessionId).text());
            json.text("partialId", partialId);
            json.object("patch", patch -> {
                patch.text("textDelta", text);
                patch.number("offset", 0);
            });
        }));
    }

    /** The progress of a run, under the key that its tree was asked for. */
    static Frame appendPartial(StreamKey key, Signal.Progress progress) {
        return Frame.ofUtf8(JsonText.object(json -> {
            json.text("_", "appendPartial");
            json.text("key", key.text());
            json.text("runId", progress.runId());
            json.text("partialId", progress.partialId());
            json.object("patch", patch -> {
                if (progress.fraction() != null || progress.label() != null) {
                    patch.object("progress", members -> {
                        members.decimal("fraction", progress.fraction());
                        members.text("label", progress.label());
                    });
                }
                writeState(patch, progress.usage(), progress.activity());
            });
        }));
    }

    private static void writeState(JsonText patch, @Nullable RunUsage usage, @Nullable RunActivity activity) {
        if (usage != null) {
            patch.object("usage", members -> AgentsJson.write(members, usage));
        }
        if (activity != null) {
            patch.object("activity", members -> AgentsJson.write(members, activity));
        }
    }

    static Frame change(AgentInfo agent, @Nullable Role accessRole) {
        return change(StreamKey.agent(agent.id()), AgentsJson.agent(agent, accessRole));
    }

    static Frame change(SessionInfo session) {
        return change(StreamKey.session(session.id()), AgentsJson.session(session));
    }

    /** A change whose value is already encoded. */
    static Frame change(StreamKey key, byte[] value) {
        return Frame.ofUtf8(JsonText.object(value.length + ROOM, json -> {
            json.text("_", "change");
            json.text("key", key.text());
            json.json("value", value, 0, value.length);
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
        return Frame.ofUtf8(JsonText.object(json -> {
            json.text("_", "error");
            json.text("message", message);
            json.text("code", code);
            json.text("key", key != null && key.length() <= LONGEST_KEY_REPEATED ? key : null);
            json.number("serverTime", serverTime);
            json.number("skewMs", skewMillis);
        }));
    }
}
