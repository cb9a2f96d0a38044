package dev.tidings;

import java.util.Optional;

/**
 * What an account may do with an agent.
 *
 * <p>Threads: immutable. Source: protocols A3, A7 ({@code accessRole}).
 */
public enum Role {
    /** Everything. */
    OWNER("owner"),
    /** Read, and write to sessions. */
    WRITER("writer"),
    /** Read. */
    READER("reader");

    private final String code;

    Role(String code) {
        this.code = code;
    }

    /** The word on the wire and in storage. */
    public String code() {
        return code;
    }

    /** Whether sessions may be created and messages sent. */
    public boolean writes() {
        return this != READER;
    }

    /** The role of that word. */
    public static Optional<Role> ofCode(String code) {
        for (Role role : values()) {
            if (role.code.equals(code)) {
                return Optional.of(role);
            }
        }
        return Optional.empty();
    }
}
