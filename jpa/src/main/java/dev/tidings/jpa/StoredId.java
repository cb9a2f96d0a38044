package dev.tidings.jpa;

import org.jspecify.annotations.Nullable;

/**
 * Which texts can be ids in the tables. One that cannot is unknown, and the database is not asked: PostgreSQL refuses
 * NUL with an error, and drivers turn half a surrogate pair into a question mark, which may be somebody else's id.
 */
final class StoredId {

    static final int MAX_CHARS = 255;

    private StoredId() {}

    /** Whether the text can be an id that is stored. */
    static boolean possible(String id) {
        if (id.isEmpty() || id.length() > MAX_CHARS) {
            return false;
        }
        for (int i = 0; i < id.length(); i++) {
            char c = id.charAt(i);
            if (c == 0 || Character.isLowSurrogate(c)) {
                return false;
            }
            if (Character.isHighSurrogate(c) && (++i == id.length() || !Character.isLowSurrogate(id.charAt(i)))) {
                return false;
            }
        }
        return true;
    }

    /**
     * The id, for writing.
     *
     * @throws IllegalArgumentException if it cannot be stored
     */
    static String require(String id) {
        if (!possible(id)) {
            throw new IllegalArgumentException(
                    "an id has 1 to " + MAX_CHARS + " characters, without NUL and half surrogate pairs");
        }
        return id;
    }

    /** The same for an id that may be missing. */
    static @Nullable String requireOrNull(@Nullable String id) {
        return id == null ? null : require(id);
    }
}
