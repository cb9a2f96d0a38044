package dev.tidings.protocol.agents;

import dev.tidings.TidingsException;

/**
 * The answer to an action that is not done. Thrown in a transaction it rolls the transaction back.
 *
 * <p>Threads: as any exception.
 */
public final class ActionRefusal extends TidingsException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String code;
    private final String publicText;

    /** One text for every 503, whatever ran out. */
    static final String BUSY = "The server has too much to do";

    /** A refusal with a code of the API's own and its status. */
    public ActionRefusal(ActionCode code, String publicText) {
        this(code.httpStatus(), code.text(), publicText);
    }

    /**
     * A refusal with a backend's code.
     *
     * @param status the HTTP status, 400 to 599
     * @param code a stable word
     * @param publicText what people read; goes on the wire as it is
     */
    public ActionRefusal(int status, String code, String publicText) {
        super(code);
        if (status < 400 || status > 599) {
            throw new IllegalArgumentException("a refusal has a status from 400 to 599, not " + status);
        }
        this.status = status;
        this.code = code;
        this.publicText = publicText;
    }

    /** The HTTP status. */
    public int status() {
        return status;
    }

    /** The stable word. */
    public String code() {
        return code;
    }

    /** What people read. */
    public String publicText() {
        return publicText;
    }

    /** A member that is missing or wrong. */
    static ActionRefusal field(String publicText) {
        return new ActionRefusal(ActionCode.INVALID_FIELD, publicText);
    }

    static ActionRefusal busy() {
        return new ActionRefusal(ActionCode.BUSY, BUSY);
    }

    static ActionRefusal agentNotFound() {
        return new ActionRefusal(ActionCode.AGENT_NOT_FOUND, "Agent not found");
    }

    static ActionRefusal sessionNotFound() {
        return new ActionRefusal(ActionCode.SESSION_NOT_FOUND, "Session not found");
    }

    static ActionRefusal runNotFound() {
        return new ActionRefusal(ActionCode.RUN_NOT_FOUND, "Run not found");
    }
}
