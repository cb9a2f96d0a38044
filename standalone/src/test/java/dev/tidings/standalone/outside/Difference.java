package dev.tidings.standalone.outside;

/**
 * A difference from the observed server that {@code docs/protocol/compatibility.md} explains, at the anchor of its name.
 */
enum Difference {
    ACCOUNT_CARRIES_HINTS,
    SENT_TWICE,
    NOT_OURS,
    LEAK_AFTER_PUBLIC_READ,
    HINT_PACE,
    STATUS_HINTS,
    NO_ACTIVITY_IN_SNAPSHOT,
    RAW_MARKDOWN,
    ADDITIONS,
    CBOR_WORDING,
    RESPONSE_NAMES;

    String anchor() {
        return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }
}
