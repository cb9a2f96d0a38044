package dev.tidings.jpa;

import dev.tidings.StreamKey;

/** How a stream is named in the tables. */
final class Streams {

    private Streams() {}

    /** The code of the stream's kind. */
    static String code(StreamKey stream) {
        return code(stream.kind());
    }

    /** The code of a kind that has streams. */
    static String code(StreamKey.Kind kind) {
        return kind == StreamKey.Kind.SESSION ? "s" : "r";
    }

    /** The stream of a code and an id. */
    static StreamKey key(String code, String id) {
        return code.equals("s") ? StreamKey.session(id) : StreamKey.run(id);
    }

    /** Whether there can be such a stream. */
    static boolean possible(StreamKey stream) {
        return stream.kind().durable() && StoredId.possible(stream.id());
    }

    /** Makes the head of a new stream. */
    static void create(Sql sql, StreamKey stream, String agentId) {
        sql.update(
                "insert into tidings_head (stream_kind, stream_id, position, seq, agent_id) values (?, ?, 0, 0, ?)",
                code(stream),
                stream.id(),
                agentId);
    }
}
