package dev.tidings.standalone.outside;

import java.util.Locale;

/**
 * A difference from the observed server that {@code docs/protocol/compatibility.md} explains, at the anchor of its name.
 */
enum Difference {
    ACCOUNT_CARRIES_HINTS,
    SENT_TWICE,
    NOT_OURS,
    LEAK_AFTER_PUBLIC_READ,
    REMOVED_IS_SILENT,
    HINT_PACE,
    STATUS_HINTS,
    NO_ACTIVITY_IN_SNAPSHOT,
    ADDITIONS,
    CBOR_WORDING,
    KEY_IS_TEXT,
    RESPONSE_NAMES,
    CHILD_SESSIONS,
    CHILD_COUNT,
    NO_SOURCE_TEXT,
    USAGE_AT_THE_END,
    STOPPED_MESSAGE,
    GOES_ON_RUNNING,
    PARTIALS_END,
    PLAN_STAYS;

    String anchor() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
