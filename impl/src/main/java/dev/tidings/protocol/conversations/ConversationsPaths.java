package dev.tidings.protocol.conversations;

import java.util.regex.Pattern;

/**
 * Where the face is served in its application.
 *
 * <p>Threads: immutable.
 *
 * @param prefix what stands in front of all its paths: empty, or segments such as {@code /tidings}
 */
public record ConversationsPaths(String prefix) {
    private static final Pattern PREFIX = Pattern.compile("(?:/[A-Za-z0-9_.~-]+)*");
    private static final String CONVERSATIONS = "/conversations/";
    private static final String SOCKET = "/ws";

    /** The paths as they are without a prefix. */
    public static final ConversationsPaths DEFAULT = new ConversationsPaths("");

    /** @throws IllegalArgumentException if that cannot stand in front of a path */
    public ConversationsPaths {
        if (!PREFIX.matcher(prefix).matches()) {
            throw new IllegalArgumentException("not the beginning of a path");
        }
    }

    /** The socket of everything. */
    String all() {
        return prefix + SOCKET;
    }

    /** The sockets of one conversation each, as a container is told. */
    String one() {
        return prefix + CONVERSATIONS + "{id}" + SOCKET;
    }

    /** Events over HTTP. */
    public String recent() {
        return prefix + "/events/recent";
    }

    boolean isAll(String path) {
        return path.equals(all());
    }

    boolean isRecent(String path) {
        return path.equals(recent());
    }

    /**
     * Whether a socket of one conversation is asked for, be it one without a name; below there the application may have pages of
     * its own.
     */
    boolean isOne(String path) {
        return path.startsWith(prefix + CONVERSATIONS)
                && path.endsWith(SOCKET)
                && path.length() >= (prefix + CONVERSATIONS + SOCKET).length();
    }

    /** What stands between the fixed parts of a path that {@link #isOne}. */
    String segment(String path) {
        int from = (prefix + CONVERSATIONS).length();
        int to = path.length() - SOCKET.length();
        return from < to ? path.substring(from, to) : "";
    }
}
