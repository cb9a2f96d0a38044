package dev.tidings.delivery;

/**
 * Why a socket is closed. 4000–4399 say come back, 4400–4999 do not.
 *
 * <p>Threads: immutable. Source: protocols A1, A8; docs/error-codes.md lists them all.
 */
public enum Disconnect {
    /** The server stops. */
    GOING_AWAY(1001, "server is going away"),
    /** An inbound message was larger than allowed. */
    TOO_BIG(1009, "message is too big"),
    /** The server stops, told to a peer that knows this code: come back, perhaps to another node. */
    DRAINING(4000, "draining"),
    /** The socket could not keep up; come back and resume from the cursor. */
    SLOW(4001, "too slow, resume from your cursor"),
    /** Nothing was heard from the peer for too long. */
    SILENT(4002, "nothing heard, resume from your cursor"),
    /** No subscription was made in time. */
    UNBOUND(4003, "no subscription in time"),
    /** The node cannot take more; come back later. */
    OVERLOADED(4004, "server is busy, come back later"),
    /** The address of the peer, or its account, has as many sockets as it may. */
    TOO_MANY_SOCKETS(4005, "too many sockets"),
    /** Too many messages were refused; the peer does something wrong and need not come back. */
    ABUSE(4400, "too many refused messages"),
    /** The API key is not valid, or is no longer; no use in coming back with it. */
    UNAUTHORIZED(4401, "a valid key is required"),
    /** What the socket shows does not exist for its peer, or was deleted. */
    NOT_FOUND(4404, "not found");

    private final int code;
    private final String reason;

    Disconnect(int code, String reason) {
        this.code = code;
        this.reason = reason;
    }

    /** The WebSocket close code. */
    public int code() {
        return code;
    }

    /** The close reason, at most 123 bytes of ASCII. */
    public String reason() {
        return reason;
    }
}
