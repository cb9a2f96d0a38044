package dev.tidings.envelope;

/**
 * The stable codes with which an envelope is refused.
 *
 * <p>Each has a text that clients may rely on, the HTTP status of the same refusal, and, except for the two whose text says
 * what is wrong with the bytes, the exact message that clients know.
 *
 * <p>Threads: immutable.
 */
public enum RefusalCode {
    /** A text frame that is no JSON array of byte values. */
    NOT_BYTE_VALUES("not_byte_values", 400, "A text message must be a JSON array of byte values from 0 to 255"),
    /** Not one item of canonical DAG-CBOR. The message says what is wrong and where. */
    NOT_CANONICAL("not_canonical", 400, "Not canonical DAG-CBOR"),
    /** A null, boolean, number or text where the envelope should be. */
    INVALID_ENVELOPE("invalid_envelope", 401, "Invalid envelope"),
    /** Not a map, or its {@code type} is another. */
    INVALID_ENVELOPE_TYPE("invalid_envelope_type", 401, "Invalid envelope type"),
    /** {@code signer} is no principal. */
    INVALID_SIGNER("invalid_signer", 401, "Invalid signer"),
    /** {@code account} is no principal. */
    INVALID_ACCOUNT("invalid_account", 401, "Invalid account"),
    /** {@code sig} is not 64 bytes. */
    INVALID_SIGNATURE_BYTES("invalid_signature_bytes", 401, "Invalid signature bytes"),
    /** {@code action} is no map with a text {@code _}. */
    INVALID_ACTION("invalid_action", 401, "Invalid action"),
    /** {@code action.ts} is no number, or an integer beyond 2^53 − 1. */
    INVALID_ACTION_TIMESTAMP("invalid_action_timestamp", 401, "Invalid action timestamp"),
    /** {@code action.ts} is too far from the server's clock. The refusal carries the server's time. */
    CLOCK_WINDOW("clock_window", 401, "Action timestamp is outside allowed window"),
    /** The signature does not fit the bytes and the signer. */
    INVALID_SIGNATURE("invalid_signature", 401, "Invalid signature"),
    /** The signer may not act for the account. */
    SIGNER_NOT_AUTHORIZED("signer_not_authorized", 401, "Signer is not authorized for account"),
    /** {@code capability} of an envelope is no text that could be a CID. */
    INVALID_CAPABILITY_CID("invalid_capability_cid", 401, "Invalid capability CID"),
    /** An envelope names a capability and does not bring it. The message names it as well. */
    CAPABILITY_NOT_AVAILABLE("capability_not_available", 401, "Capability is not available on the HM network"),
    /** The capability is not given as bytes. */
    INVALID_CAPABILITY_BYTES("invalid_capability_bytes", 401, "Invalid capability bytes"),
    /** More than 64 KiB. */
    CAPABILITY_TOO_LARGE("capability_too_large", 401, "Capability blob is too large"),
    /** The capability that came is another than the one that is named. */
    CAPABILITY_CID_MISMATCH(
            "capability_cid_mismatch", 401, "Capability bytes do not match the envelope capability CID"),
    /** Not one item of canonical DAG-CBOR. */
    INVALID_CAPABILITY_CBOR("invalid_capability_cbor", 401, "Capability is not valid CBOR"),
    /** Not a map, or its {@code type} is another. */
    NOT_A_CAPABILITY("not_a_capability", 401, "Blob is not a Capability"),
    /** {@code signer} of the capability is no principal. */
    INVALID_CAPABILITY_SIGNER("invalid_capability_signer", 401, "Invalid capability signer"),
    /** {@code delegate} of the capability is no principal. */
    INVALID_CAPABILITY_DELEGATE("invalid_capability_delegate", 401, "Invalid capability delegate"),
    /** The signature does not fit the capability's bytes and its signer. */
    INVALID_CAPABILITY_SIGNATURE("invalid_capability_signature", 401, "Invalid capability signature"),
    /** Issued to somebody else than the signer of the envelope. */
    CAPABILITY_DELEGATE_MISMATCH(
            "capability_delegate_mismatch", 401, "Capability delegate does not match envelope signer"),
    /** Its role is neither {@code AGENT} nor {@code WRITER}. */
    CAPABILITY_ROLE("capability_role", 401, "Capability role does not permit agent actions"),
    /** Issuer and delegate are the same. */
    CAPABILITY_SELF_DELEGATION("capability_self_delegation", 401, "Capability delegates to its own issuer"),
    /** Issued by another account than the envelope's. */
    CAPABILITY_ISSUER_MISMATCH("capability_issuer_mismatch", 401, "Capability was not issued by the envelope account");

    private final String text;
    private final int httpStatus;
    private final String message;

    RefusalCode(String text, int httpStatus, String message) {
        this.text = text;
        this.httpStatus = httpStatus;
        this.message = message;
    }

    /** The code as it goes over the wire; never changes its meaning. */
    public String text() {
        return text;
    }

    /** The HTTP status of an envelope refused with this code, 400 or 401; an action about a capability answers 400. */
    public int httpStatus() {
        return httpStatus;
    }

    /** The message for people, which clients of the agents protocol compare. */
    public String message() {
        return message;
    }
}
