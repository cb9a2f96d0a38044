package dev.tidings.protocol.agents;

import dev.tidings.AgentInfo;
import dev.tidings.Role;
import dev.tidings.RunInfo;
import dev.tidings.SessionInfo;
import dev.tidings.Versioned;
import dev.tidings.access.Access;
import dev.tidings.envelope.CborValue.MapValue;
import dev.tidings.envelope.Principal;
import dev.tidings.envelope.VerifiedEnvelope;
import dev.tidings.spi.Directory;
import org.jspecify.annotations.Nullable;

/**
 * One verified action: who asks for what. The checks of a member or of a role throw the {@link ActionRefusal} that
 * answers the action.
 *
 * <p>An agent or a session that the account may not read is answered like one that does not exist.
 *
 * <p>Threads: any, one at a time; the checks of roles may block on the ports.
 */
public final class ActionCall {

    private final VerifiedEnvelope envelope;
    private final Access access;
    private final Directory directory;
    private final @Nullable ActionReceipt receipt;

    /** @param receipt null if nothing is done by this call */
    ActionCall(VerifiedEnvelope envelope, Access access, Directory directory, @Nullable ActionReceipt receipt) {
        this.envelope = envelope;
        this.access = access;
        this.directory = directory;
        this.receipt = receipt;
    }

    /** The account for which the action is done, {@code z…}. */
    public String account() {
        return envelope.account().text();
    }

    /** Who signed, {@code z…}; the account itself or one of its signers. */
    public String signer() {
        return envelope.signer().text();
    }

    Principal signerPrincipal() {
        return envelope.signer();
    }

    /** The action with all its members. */
    public MapValue action() {
        return envelope.action();
    }

    /** The members of the action, for reading them one by one. */
    public ActionFields fields() {
        return ActionFields.of(envelope.action());
    }

    /**
     * Stores in the caller's transaction that this action is being done, so that it is not done again.
     *
     * <p>If another one did it first, this or the commit throws, and the transaction is to be rolled back.
     *
     * @param reference what its answer will come of, such as the id of a run, at most 255 characters; given to
     *     {@link ActionHandler#outcome} when the action comes again before it has its answer
     */
    public void begin(String reference) {
        receipt().begin(reference);
    }

    /**
     * Stores in the caller's transaction that this action is done, and how it is answered. After {@link #begin} it throws if
     * the action was given another answer meanwhile.
     */
    public void finish(ActionReply reply) {
        receipt().finish(Answers.reply(envelope.actionName(), reply));
    }

    private ActionReceipt receipt() {
        if (receipt == null) {
            throw new IllegalStateException("an action that only reads has no receipt");
        }
        return receipt;
    }

    /** The agent of that id, which the account may read. */
    public AgentInfo readableAgent(String agentId) {
        role(agentId);
        return agent(agentId);
    }

    /** The agent of that id, in which the account may write. */
    public AgentInfo writableAgent(String agentId) {
        requireWriter(role(agentId));
        return agent(agentId);
    }

    /** The agent of that id, which the account owns. */
    public AgentInfo ownedAgent(String agentId) {
        if (role(agentId) != Role.OWNER) {
            throw new ActionRefusal(ActionCode.OWNER_ACCESS_REQUIRED, "Owner access is required");
        }
        return agent(agentId);
    }

    /** The session of that id, which the account may read. */
    public SessionInfo readableSession(String sessionId) {
        SessionInfo session = session(sessionId);
        if (access.role(session.agentId(), account()).isEmpty()) {
            throw ActionRefusal.sessionNotFound();
        }
        return session;
    }

    /** The session of that id, in which the account may write. */
    public SessionInfo writableSession(String sessionId) {
        SessionInfo session = session(sessionId);
        requireWriter(access.role(session.agentId(), account()).orElseThrow(ActionRefusal::sessionNotFound));
        return session;
    }

    /** What the account may do with the agent of that id. */
    public Role role(String agentId) {
        if (!mayExist(agentId)) {
            throw ActionRefusal.agentNotFound();
        }
        return access.role(agentId, account()).orElseThrow(ActionRefusal::agentNotFound);
    }

    /** The run of that id, which the account may read; a run without an agent is nobody's to read. */
    public RunInfo readableRun(String runId) {
        RunInfo run = run(runId);
        runRole(run);
        return run;
    }

    /** The run of that id, in whose agent the account may write. */
    public RunInfo writableRun(String runId) {
        RunInfo run = run(runId);
        requireWriter(runRole(run));
        return run;
    }

    private RunInfo run(String runId) {
        if (!mayExist(runId)) {
            throw ActionRefusal.runNotFound();
        }
        return directory.run(runId).map(Versioned::value).orElseThrow(ActionRefusal::runNotFound);
    }

    private Role runRole(RunInfo run) {
        String agentId = run.agentId();
        if (agentId == null) {
            throw ActionRefusal.runNotFound();
        }
        return access.role(agentId, account()).orElseThrow(ActionRefusal::runNotFound);
    }

    private AgentInfo agent(String agentId) {
        return directory.agent(agentId).map(Versioned::value).orElseThrow(ActionRefusal::agentNotFound);
    }

    private SessionInfo session(String sessionId) {
        if (!mayExist(sessionId)) {
            throw ActionRefusal.sessionNotFound();
        }
        return directory.session(sessionId).map(Versioned::value).orElseThrow(ActionRefusal::sessionNotFound);
    }

    /** Databases differ in what they make of NUL, and no key holds a slash: such ids are unknown without asking. */
    static boolean mayExist(String id) {
        return !id.isEmpty() && id.indexOf('\0') < 0 && id.indexOf('/') < 0;
    }

    private static void requireWriter(Role role) {
        if (!role.writes()) {
            throw new ActionRefusal(ActionCode.WRITE_ACCESS_REQUIRED, "Write access is required");
        }
    }
}
