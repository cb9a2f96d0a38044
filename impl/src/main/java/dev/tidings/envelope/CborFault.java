package dev.tidings.envelope;

import java.util.Locale;

/** What can be wrong with bytes that should be one item of canonical DAG-CBOR. The text completes a sentence for the peer. */
enum CborFault {
    EMPTY("the message is empty"),
    TRUNCATED("the message ends inside an item, or an item declares more than the message holds"),
    TRAILING_BYTES("there are bytes after the item"),
    RESERVED("a head uses a reserved value"),
    INDEFINITE_LENGTH("an item has an indefinite length; lengths must be definite"),
    NON_MINIMAL("a number or length is not in its shortest form"),
    KEY_NOT_TEXT("a map key is not text"),
    KEY_ORDER("map keys must be sorted by their length in bytes, then bytewise"),
    KEY_REPEATED("a map key is repeated"),
    UNKNOWN_TAG("only tag 42 (a link) is allowed"),
    INVALID_LINK("tag 42 must hold the bytes of a CID after a zero byte"),
    UNDEFINED("undefined is not allowed; omit the member instead"),
    SIMPLE_VALUE("only the simple values false, true and null are allowed"),
    SHORT_FLOAT("a float must have 64 bits"),
    NOT_FINITE("a float must be a finite number"),
    INTEGRAL_FLOAT("a float that is a whole number within 2^53 - 1 must be written as an integer"),
    INVALID_UTF8("a text is not valid UTF-8"),
    TOO_DEEP("the message is nested too deeply");

    private final String text;

    CborFault(String text) {
        this.text = text;
    }

    String reason() {
        return name().toLowerCase(Locale.ROOT);
    }

    String messageAt(int atByte) {
        return RefusalCode.NOT_CANONICAL.message() + ": " + text + " (byte " + atByte + ")";
    }
}
