package dev.tidings.protocol.commands;

import dev.tidings.AgentInfo;
import dev.tidings.ApiKeyScope;
import dev.tidings.Head;
import dev.tidings.Payload;
import dev.tidings.SessionInfo;
import dev.tidings.StreamKey;
import dev.tidings.Versioned;
import dev.tidings.access.KeyPass;
import dev.tidings.delivery.Gate;
import dev.tidings.protocol.http.HttpExchanges;
import dev.tidings.protocol.http.HttpRefusal;
import dev.tidings.protocol.http.Places;
import dev.tidings.protocol.http.Query;
import dev.tidings.protocol.http.Refused;
import dev.tidings.protocol.json.JsonText;
import dev.tidings.spi.Directory.SessionQuery;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Sessions over HTTP: made, listed and read.
 *
 * <p>Threads: any; calls block on the ports. Errors: {@link Refused}, or what the ports throw. Source: protocols C.
 */
final class SessionsHttp {
    private static final int MAX_TITLE = 500;
    static final int MOST_LISTED = 200;

    private final CommandsPorts ports;
    private final Permissions permissions;
    private final HttpExchanges exchanges;
    private final InstantSource clock;

    SessionsHttp(CommandsPorts ports, Permissions permissions, HttpExchanges exchanges, InstantSource clock) {
        this.ports = ports;
        this.permissions = permissions;
        this.exchanges = exchanges;
        this.clock = clock;
    }

    /** Refuses who may make no session whatever it asks for, before its body is read. */
    void mayCreate(Caller caller) throws Refused {
        if (caller instanceof Caller.ByKey by && by.key().scope() instanceof ApiKeyScope.OfSession) {
            throw new Refused(HttpRefusal.FORBIDDEN);
        }
    }

    /** Makes a session of {title?, agent_id?}; an empty body is an empty object. {session_id, title, created_at}. */
    byte[] create(Caller caller, byte[] body) throws Refused {
        Map<String, String> asked = texts(body);
        String title = asked.get("title");
        if (title != null && title.length() > MAX_TITLE) {
            throw new Refused(HttpRefusal.BAD_REQUEST);
        }
        String agentId = permissions
                .agent(caller, asked.get("agent_id"))
                .filter(id -> permissions.mayWrite(caller, id))
                .orElseThrow(() -> new Refused(HttpRefusal.FORBIDDEN));
        AgentInfo agent = ports.directory()
                .agent(agentId)
                .map(Versioned::value)
                .orElseThrow(() -> new Refused(HttpRefusal.NOT_FOUND));
        SessionInfo session =
                SessionInfo.idle(UUID.randomUUID().toString(), agent.account(), agentId, title, clock.millis());
        boolean made = ports.transactions().required(() -> {
            // Under the agent's lock: nothing is made in one that is being deleted.
            boolean there = ports.directoryWriter().changeAgent(agentId, a -> a).isPresent();
            if (there) {
                ports.directoryWriter().create(session);
            }
            return there;
        });
        if (!made) {
            throw new Refused(HttpRefusal.NOT_FOUND);
        }
        return members(new JsonText(256).open(), session).close().bytes();
    }

    private static Map<String, String> texts(byte[] body) throws Refused {
        Set<String> names = Set.of("title", "agent_id");
        if (body.length == 0) {
            return Map.of();
        }
        try {
            Payload json = Payload.ofUtf8(body);
            Map<String, String> texts = json.textMembers(names);
            boolean others = json.members(names).entrySet().stream()
                    .anyMatch(member -> !texts.containsKey(member.getKey())
                            && !member.getValue().text().equals("null"));
            if (others || !json.text().stripLeading().startsWith("{")) {
                throw new Refused(HttpRefusal.BAD_REQUEST);
            }
            return texts;
        } catch (IllegalArgumentException malformed) {
            throw new Refused(HttpRefusal.BAD_REQUEST);
        }
    }

    /**
     * {sessions: […], next_cursor?}: newest first.
     *
     * @param agentId of this agent; null for the caller's usual one
     * @param most at most so many, 1 to {@link #MOST_LISTED}
     * @param cursor the next_cursor of the page before; null for the first
     */
    byte[] list(Caller caller, @Nullable String agentId, int most, @Nullable String cursor) throws Refused {
        if (caller instanceof Caller.ByKey by && by.key().scope() instanceof ApiKeyScope.OfSession scope) {
            return shown(
                    permissions.readable(caller, scope.sessionId()).stream().toList(), Optional.empty());
        }
        String agent = permissions.agent(caller, agentId).orElseThrow(() -> new Refused(HttpRefusal.FORBIDDEN));
        String owner = ports.directory()
                .agent(agent)
                .map(known -> known.value().account())
                .orElseThrow(() -> new Refused(HttpRefusal.NOT_FOUND));
        int separator = cursor == null ? -1 : cursor.indexOf(':');
        if (cursor != null && separator < 0) {
            throw new Refused(HttpRefusal.BAD_REQUEST);
        }
        Long updatedBefore = cursor == null ? null : Long.valueOf(number(cursor.substring(0, separator)));
        String idBefore = cursor == null ? null : cursor.substring(separator + 1);
        List<SessionInfo> sessions =
                ports.directory().sessions(new SessionQuery(owner, agent, updatedBefore, idBefore, most));
        boolean more = sessions.size() == most;
        return shown(sessions, more ? Optional.of(sessions.get(most - 1)) : Optional.empty());
    }

    private static long number(String text) throws Refused {
        return Query.number(text, 0, Query.MOST).orElseThrow();
    }

    private static byte[] shown(List<SessionInfo> sessions, Optional<SessionInfo> last) {
        JsonText json = new JsonText(128 + 160 * sessions.size())
                .open()
                .name("sessions")
                .raw("[");
        String comma = "";
        for (SessionInfo session : sessions) {
            members(json.raw(comma).open(), session).close();
            comma = ",";
        }
        json.raw("]");
        last.ifPresent(session -> json.text("next_cursor", session.updatedAt() + ":" + session.id()));
        return json.close().bytes();
    }

    private static JsonText members(JsonText json, SessionInfo session) {
        String title = session.title();
        return json.text("session_id", session.id())
                .text("title", title == null ? "" : title)
                .number("created_at", session.createdAt());
    }

    /**
     * {session_id, title, created_at, events: […]}, piece by piece.
     *
     * @param after only events behind it
     * @param most at most so many
     */
    Transcript read(Caller caller, String sessionId, long after, long most) throws Refused {
        String holder = caller.name();
        Places places = exchanges.transcripts();
        // Where nobody is told apart, everybody is one holder.
        if (!(caller instanceof Caller.Anybody ? places.takeAlone(holder) : places.take(holder))) {
            throw new Refused(HttpRefusal.BUSY);
        }
        KeyPass pass = null;
        boolean begun = false;
        try {
            if (caller instanceof Caller.ByKey by) {
                pass = ports.keys()
                        .flatMap(keys -> keys.enter(by.key()))
                        .orElseThrow(() -> new Refused(HttpRefusal.UNAUTHORIZED));
            }
            SessionInfo session =
                    permissions.readable(caller, sessionId).orElseThrow(() -> new Refused(HttpRefusal.NOT_FOUND));
            Gate gate = pass == null ? permissions.gate(caller, session) : pass.gate();
            Head head = ports.log().head(StreamKey.session(sessionId));
            byte[] opening = members(new JsonText(256).open(), session)
                    .name("events")
                    .raw("[")
                    .bytes();
            long last = most > head.position() - after ? head.position() : after + most;
            Transcript transcript = new Transcript(
                    ports.log(),
                    exchanges,
                    StreamKey.session(sessionId),
                    opening,
                    new Transcript.Range(after, last),
                    new Transcript.Reader(holder, gate, pass));
            begun = true;
            return transcript;
        } finally {
            if (!begun) {
                places.give(holder);
            }
            if (!begun && pass != null) {
                pass.close();
            }
        }
    }
}
