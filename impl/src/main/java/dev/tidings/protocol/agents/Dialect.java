package dev.tidings.protocol.agents;

import dev.tidings.envelope.DagCbor;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What a socket speaks, by the sub-protocol that was agreed when it opened.
 *
 * <p>Threads: immutable. Source: protocols A8.
 */
enum Dialect {
    /** No sub-protocol: the frames that clients have always known. */
    PLAIN(null),
    /** Also heartbeats, revocations, the text so far and Unsubscribe. */
    V2(Dialect.V2_NAME),
    /** The same in binary messages. */
    V2_CBOR(Dialect.V2_CBOR_NAME);

    static final String V2_NAME = "tidings.v2";
    static final String V2_CBOR_NAME = "tidings.v2+cbor";

    private final @Nullable String name;

    Dialect(@Nullable String name) {
        this.name = name;
    }

    /** The dialect of an agreed sub-protocol; none, or one that nobody here knows, is the plain one. */
    static Dialect of(@Nullable String agreed) {
        for (Dialect dialect : values()) {
            if (dialect.name != null && dialect.name.equals(agreed)) {
                return dialect;
            }
        }
        return PLAIN;
    }

    /** Whether the additions of {@code tidings.v2} are wanted. */
    boolean v2() {
        return this != PLAIN;
    }

    /** Makes binary messages of frames; null if they are sent as text. */
    @Nullable
    UnaryOperator<byte[]> binaryForm() {
        return this == V2_CBOR ? DagCbor::encodeJson : null;
    }
}
