package dev.tidings;

/**
 * An API key as it is known to everybody but its holder: what it may see, never the key itself.
 *
 * <p>Threads: immutable. Source: protocols B and C.
 *
 * @param id names it, also within the key's text; public, never used again
 * @param label what a person calls it
 * @param scope what it may see
 * @param createdAt epoch milliseconds
 */
public record ApiKey(String id, String label, ApiKeyScope scope, long createdAt) {

    /** The longest label, in characters. */
    public static final int MAX_LABEL = 200;

    /** Checks the texts. */
    public ApiKey {
        if (id.isEmpty()) {
            throw new IllegalArgumentException("an API key has an id");
        }
        if (label.length() > MAX_LABEL) {
            throw new IllegalArgumentException("a label has at most " + MAX_LABEL + " characters");
        }
    }
}
