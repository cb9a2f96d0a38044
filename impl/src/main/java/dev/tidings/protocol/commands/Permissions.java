package dev.tidings.protocol.commands;

import dev.tidings.ApiKeyScope;
import dev.tidings.Role;
import dev.tidings.SessionInfo;
import dev.tidings.Versioned;
import dev.tidings.delivery.Gate;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which sessions a caller may see, and what it may do there. A thing out of its sight does not exist for it.
 *
 * <p>Threads: any; calls may block on the ports.
 */
final class Permissions {
    private final CommandsPorts ports;
    private final CommandsSettings settings;

    Permissions(CommandsPorts ports, CommandsSettings settings) {
        this.ports = ports;
        this.settings = settings;
    }

    /** The session, if the caller may read it. */
    Optional<SessionInfo> readable(Caller caller, String sessionId) {
        return ports.directory().session(sessionId).map(Versioned::value).filter(session -> mayRead(caller, session));
    }

    private boolean mayRead(Caller caller, SessionInfo session) {
        if (caller instanceof Caller.ByKey by) {
            return by.key().scope().includes(session.id(), session.agentId());
        }
        if (caller instanceof Caller.ByAccount by) {
            return ports.access().role(session.agentId(), by.account()).isPresent();
        }
        return session.agentId().equals(settings.agentId());
    }

    /** Whether the caller, who may read an agent's session, may give commands there. */
    boolean mayWrite(Caller caller, String agentId) {
        return !(caller instanceof Caller.ByAccount by)
                || ports.access()
                        .role(agentId, by.account())
                        .filter(role -> role != Role.READER)
                        .isPresent();
    }

    /** What frames of a session have to pass, for a caller without a pass of its own. */
    Gate gate(Caller caller, SessionInfo session) {
        return caller instanceof Caller.ByAccount by
                ? ports.access().gate(session.agentId(), by.account())
                : Gate.ALWAYS_OPEN;
    }

    /**
     * The agent whose sessions a caller makes or lists.
     *
     * @param asked the one that it names; null for its usual one
     * @return empty if it may not, or if there is none
     */
    Optional<String> agent(Caller caller, @Nullable String asked) {
        Optional<String> usual = Optional.of(settings.agentId()).filter(id -> !id.isEmpty());
        Optional<String> agent = asked == null ? usual : Optional.of(asked);
        if (caller instanceof Caller.ByKey by) {
            if (by.key().scope() instanceof ApiKeyScope.OfAgent scope) {
                return asked == null || asked.equals(scope.agentId()) ? Optional.of(scope.agentId()) : Optional.empty();
            }
            return by.key().scope() instanceof ApiKeyScope.All ? agent : Optional.empty();
        }
        if (caller instanceof Caller.ByAccount by) {
            return agent.filter(id -> ports.access().role(id, by.account()).isPresent());
        }
        return agent.filter(id -> id.equals(settings.agentId()));
    }
}
