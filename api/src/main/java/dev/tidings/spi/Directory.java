package dev.tidings.spi;

import dev.tidings.AgentActivity;
import dev.tidings.AgentInfo;
import dev.tidings.Collaborator;
import dev.tidings.RunInfo;
import dev.tidings.RunStatus;
import dev.tidings.SessionInfo;
import dev.tidings.Versioned;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The agents, sessions and runs of the backend, for reading. It tells what is there; who may see it is told by
 * {@link Grants}.
 *
 * <p>Threads: safe for use by many threads; calls may block on a database. Errors: any exception means that nothing is
 * known.
 */
public interface Directory {

    /** An agent. */
    Optional<Versioned<AgentInfo>> agent(String agentId);

    /** A session. */
    Optional<Versioned<SessionInfo>> session(String sessionId);

    /** A run. */
    Optional<Versioned<RunInfo>> run(String runId);

    /** Agents that an account owns or was accepted for, by (createdAt, id). */
    List<AgentInfo> agents(AgentQuery query);

    /** Sessions of the agents that an account owns or was accepted for, newest first, by (updatedAt, id) descending. */
    List<SessionInfo> sessions(SessionQuery query);

    /** Runs by (createdAt, id). */
    List<RunInfo> runs(RunQuery query);

    /** All runs of a tree, by (createdAt, id); empty if there is no such root. */
    List<Versioned<RunInfo>> tree(String rootRunId);

    /**
     * The run of a session that is claimed, running or waiting, of which there is at most one; else, of those that are
     * queued, the first by (createdAt, id).
     */
    Optional<RunInfo> activeRun(String sessionId);

    /** The rollup of an agent; empty until the agent's first event. */
    Optional<AgentActivity> activity(String agentId);

    /** The collaborators of an agent, by (createdAt, account). */
    List<Collaborator> collaborators(String agentId);

    /** The invitations of an account that are pending, by (createdAt, agent). */
    List<Collaborator> invites(String accountId);

    /**
     * Which agents.
     *
     * @param accountId whose
     * @param createdAfter the cursor's time; null for the first page
     * @param idAfter the cursor's id; null for the first page
     * @param limit 1 to 200
     */
    record AgentQuery(
            String accountId,
            @Nullable Long createdAfter,
            @Nullable String idAfter,
            int limit) {}

    /**
     * Which sessions.
     *
     * @param accountId whose
     * @param agentId of this agent only, if given
     * @param updatedBefore the cursor's time; null for the first page
     * @param idBefore the cursor's id; null for the first page
     * @param limit 1 to 200
     */
    record SessionQuery(
            String accountId,
            @Nullable String agentId,
            @Nullable Long updatedBefore,
            @Nullable String idBefore,
            int limit) {}

    /**
     * Which runs: exactly one of the first three is given.
     *
     * @param rootRunId of this tree
     * @param sessionId of this session
     * @param agentId of this agent
     * @param status in this status only, if given
     * @param limit 1 to 200
     */
    record RunQuery(
            @Nullable String rootRunId,
            @Nullable String sessionId,
            @Nullable String agentId,
            @Nullable RunStatus status,
            int limit) {}
}
