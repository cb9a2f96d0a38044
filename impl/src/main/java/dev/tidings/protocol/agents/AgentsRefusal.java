package dev.tidings.protocol.agents;

/**
 * Why a well-signed message on a socket is refused: checks 12 to 15, and limits. Each has a stable code and the text that
 * clients know; docs/error-codes.md lists them. A refusal leaves the socket usable (law 9).
 *
 * <p>Threads: immutable. Source: protocols A2.
 */
enum AgentsRefusal {
    /** Another action than {@code Subscribe}, or {@code Unsubscribe} where that is spoken. */
    EXPECTED_SUBSCRIBE("expected_subscribe", "Expected Subscribe action"),
    /** No key of the protocol, or another account's. */
    KEY_NOT_AUTHORIZED("key_not_authorized", "Subscription key is not authorized"),
    /** No such agent, or no access to it; which of the two is not told. */
    AGENT_NOT_FOUND("agent_not_found", "Agent not found"),
    /** No such session, or no access to its agent. */
    SESSION_NOT_FOUND("session_not_found", "Session not found"),
    /** No such run, no agent that it belongs to, or no access to that. */
    RUN_NOT_FOUND("run_not_found", "Run not found"),
    /** {@code afterSeq} is no whole number from 0 on. */
    INVALID_AFTER_SEQ("invalid_after_seq", "afterSeq must be a non-negative integer"),
    /** {@code cursor} is no whole number from 0 on. */
    INVALID_CURSOR("invalid_cursor", "cursor must be a non-negative integer"),
    /** The socket is bound to another account. */
    ACCOUNT_SWITCH("account_switch", "WebSocket account switch is not allowed"),
    /** The socket holds as many subscriptions as it may. */
    TOO_MANY_SUBSCRIPTIONS("too_many_subscriptions", "Too many subscriptions on this socket"),
    /** The account has as many sockets as it may. */
    TOO_MANY_SOCKETS("too_many_sockets", "Too many sockets of this account"),
    /** Messages come faster than they may. */
    TOO_MANY_MESSAGES("too_many_messages", "Too many messages"),
    /** What has to be asked could not be asked. Try again. */
    UNAVAILABLE("unavailable", "Subscriptions are temporarily unavailable");

    private final String code;
    private final String message;

    AgentsRefusal(String code, String message) {
        this.code = code;
        this.message = message;
    }

    /** The stable word on the wire. */
    String code() {
        return code;
    }

    /** The text on the wire. */
    String message() {
        return message;
    }
}
