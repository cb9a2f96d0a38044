package dev.tidings.protocol.http;

import java.util.Optional;

/**
 * How a face knows who comes.
 *
 * <p>Threads: immutable. Source: protocols C.
 */
public enum Auth {
    /** By an API key of Tidings. */
    API_KEY("api-key"),
    /** By the container, with Jakarta Security or a security constraint; the name of the principal is the account. */
    CONTAINER("container"),
    /** Not at all: for a server that listens on loopback only. */
    NONE("none");

    private final String code;

    Auth(String code) {
        this.code = code;
    }

    /** The word in the configuration. */
    public String code() {
        return code;
    }

    /** The way of that word. */
    public static Optional<Auth> ofCode(String code) {
        for (Auth auth : values()) {
            if (auth.code.equals(code)) {
                return Optional.of(auth);
            }
        }
        return Optional.empty();
    }
}
