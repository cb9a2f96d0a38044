package dev.tidings.protocol.commands;

/**
 * Why a command was not done; told to its socket alone and never stored.
 *
 * <p>Threads: immutable. Source: protocols C; docs/error-codes.md lists them.
 */
enum CommandRefusal {
    NOT_TEXT("not_text", "Commands are text messages"),
    INVALID_JSON("invalid_json", "A command is a JSON object"),
    UNKNOWN_COMMAND("unknown_command", "There is no such command"),
    INVALID_CONTENT("invalid_content", "content must be text of 1 byte to 64 KiB"),
    INVALID_MESSAGE_ID("invalid_message_id", "message_id must be text of 1 to 128 characters"),
    MESSAGE_ID_REUSED("message_id_reused", "message_id was used for another message"),
    INVALID_APPROVAL("invalid_approval", "approval_id must be text and decision grant or deny"),
    RUN_ACTIVE("run_active", "A run is active"),
    NO_ACTIVE_RUN("no_active_run", "No run is active"),
    UNKNOWN_APPROVAL("unknown_approval", "There is no such approval"),
    APPROVAL_ALREADY_DECIDED("approval_already_decided", "The approval was decided otherwise, or has expired"),
    TOO_MANY_MESSAGES("too_many_messages", "Too many messages"),
    READ_ONLY("read_only", "Write access is required"),
    UNAVAILABLE("unavailable", "It is not known whether it was done; try again");

    private final String code;
    private final String message;

    CommandRefusal(String code, String message) {
        this.code = code;
        this.message = message;
    }

    /** The stable word. */
    String code() {
        return code;
    }

    /** The text for people. */
    String message() {
        return message;
    }
}
