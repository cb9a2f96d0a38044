package dev.tidings.protocol.agents;

import java.util.Locale;

/**
 * The stable codes with which the signed HTTP API refuses what passed the checks of the envelope. A code is never used
 * for anything else, retired ones included; the text that goes with it may change.
 *
 * <p>Threads: immutable. Source: protocols A9.
 */
public enum ActionCode {
    /** A member of the action is missing or is not what it must be; the message names it. */
    INVALID_FIELD(400),
    /** There is no action of that name. */
    UNKNOWN_ACTION(400),
    /** The account revoked the signer after it had issued the capability. */
    CAPABILITY_REVOKED(400),
    /** The account may read, not write. */
    WRITE_ACCESS_REQUIRED(403),
    /** Only the owner of the agent may do this. */
    OWNER_ACCESS_REQUIRED(403),
    /** No such agent, or one that the account may not see. */
    AGENT_NOT_FOUND(404),
    /** No such session, or one that the account may not see. */
    SESSION_NOT_FOUND(404),
    /** No such run, or one that the account may not see. */
    RUN_NOT_FOUND(404),
    /** The account was neither invited nor accepted. */
    COLLABORATOR_NOT_FOUND(404),
    /** Another method than POST or OPTIONS. */
    METHOD_NOT_ALLOWED(405),
    /** The body did not come within {@code tidings.http.body-timeout}. */
    BODY_TIMEOUT(408),
    /** The client used its id for another action before. */
    CLIENT_ID_REUSED(409),
    /** A tool cannot be used by hand while a run of the session works. */
    RUN_ACTIVE(409),
    /** This very action was handled before and its answer is not kept, or not known; nothing was done again. */
    ALREADY_HANDLED(409),
    /** The body is larger than {@code tidings.agents.max-http-message-bytes}. */
    MESSAGE_TOO_LARGE(413),
    /** The body is not {@code application/cbor}. */
    UNSUPPORTED_MEDIA_TYPE(415),
    /** The server failed; whether the action was done is not known. */
    INTERNAL_ERROR(500),
    /** The application has no tools for people. */
    NO_SESSION_TOOLS(501),
    /** As many tools are used by hand as may be at once; nothing was done, come back. */
    TOO_MANY_TOOLS(503),
    /** The server has too much to do; nothing was done, come back. */
    BUSY(503);

    private final int httpStatus;

    ActionCode(int httpStatus) {
        this.httpStatus = httpStatus;
    }

    /** The word on the wire. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The status of an answer with this code. */
    public int httpStatus() {
        return httpStatus;
    }
}
