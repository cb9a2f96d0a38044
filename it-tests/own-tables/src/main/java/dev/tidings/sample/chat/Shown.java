package dev.tidings.sample.chat;

import dev.tidings.AgentInfo;
import dev.tidings.EntryKind;
import dev.tidings.Payload;
import dev.tidings.SessionInfo;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.Versioned;
import jakarta.json.Json;
import jakarta.json.JsonObject;

/** The chat's rows, as Tidings shows them: the same row always gives the same bytes (law 12). */
final class Shown {

    private Shown() {}

    static StoredEntry entry(Line line) {
        JsonObject event = Json.createObjectBuilder()
                .add("type", "chat_line")
                .add("speaker", line.speaker())
                .add("words", line.words())
                .build();
        // Every line has a number of its own, so its position and its seq are the same.
        return new StoredEntry(
                StreamKey.session(line.chatId()),
                line.number(),
                line.number(),
                line.id(),
                EntryKind.EVENT,
                Payload.of(event.toString()),
                null,
                line.spokenAt());
    }

    static Versioned<SessionInfo> session(Chat chat) {
        SessionInfo info = SessionInfo.idle(chat.id(), chat.owner(), chat.id(), chat.title(), chat.createdAt());
        return new Versioned<>(info.withStatus(info.status(), chat.updatedAt()), chat.version());
    }

    /** Every chat is its own agent here, since who may read is said of agents; as an agent it never changes. */
    static Versioned<AgentInfo> agent(Chat chat) {
        Payload definition = Payload.of(
                Json.createObjectBuilder().add("name", chat.title()).build().toString());
        AgentInfo info = new AgentInfo(
                chat.id(),
                chat.owner(),
                definition,
                null,
                AgentInfo.AgentStatus.IDLE,
                chat.createdAt(),
                chat.createdAt(),
                false);
        return new Versioned<>(info, 1);
    }
}
