package dev.tidings.spi;

import dev.tidings.AgentInfo;
import dev.tidings.RunInfo;
import dev.tidings.SessionInfo;
import dev.tidings.Versioned;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The agents, sessions and runs of the backend, for writing in the caller's transaction.
 *
 * <p>Each write raises the row's version under the row's lock and fires {@code AgentChanged}, {@code SessionChanged} or
 * {@code RunChanged} in the transaction. A change is computed from the row as it is under the lock; a function that
 * gives back its argument (the same object) writes nothing and fires nothing. Whoever locks several rows takes agents
 * before sessions before runs, so that two writers never wait for each other.
 *
 * <p>Threads: safe for use by many threads, each in its own transaction. Errors: throws if there is no transaction, or
 * if an id that is to be created is taken.
 */
public interface DirectoryWriter {

    /** Makes an agent. */
    void create(AgentInfo agent);

    /** Makes a session and its empty stream. */
    void create(SessionInfo session);

    /** Makes a run; a root run gets the empty stream of its tree. */
    void create(RunInfo run);

    /** Changes an agent; empty if it does not exist. */
    Optional<Versioned<AgentInfo>> changeAgent(String agentId, UnaryOperator<AgentInfo> change);

    /** Changes a session; empty if it does not exist. */
    Optional<Versioned<SessionInfo>> changeSession(String sessionId, UnaryOperator<SessionInfo> change);

    /** Changes a run; empty if it does not exist. */
    Optional<Versioned<RunInfo>> changeRun(String runId, UnaryOperator<RunInfo> change);

    /**
     * Deletes a session with its entries, the runs that worked for it and the trees that these are the roots of; false if
     * it does not exist. Child sessions stay; runs in them that belong to such a tree are gone with it.
     *
     * <p>Fires {@code SessionDeleted}. From the commit on nothing can be appended, by a live run either: its stream does
     * not exist, or its fence is closed. Whoever wants live runs to end with an event of their own cancels them before.
     * Waits for transactions that hold the session, its runs or their heads. A large session takes as long as its
     * entries, in this transaction.
     */
    boolean deleteSession(String sessionId);

    /**
     * Deletes an agent with its collaborators, sessions, entries and runs; false if it does not exist.
     *
     * <p>Fires {@code AgentDeleted} and a {@code GrantChanged} for any account, but nothing for each session. Otherwise
     * as {@link #deleteSession}. Whoever makes a session of an agent locks the agent before, with a {@link #changeAgent}
     * that changes nothing, and makes none if it is gone: one that is made at the same time without that stays.
     */
    boolean deleteAgent(String agentId);
}
