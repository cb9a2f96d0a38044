package dev.tidings;

import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * The name of something that can be watched: an account, an agent, a session or a run tree.
 *
 * <p>Text form: {@code <kind>/<id>}, for example {@code sessions/3f2a…}; the id is one or more characters other than
 * {@code /}. Sessions and run trees have a durable stream of entries; accounts and agents carry only snapshots and
 * signals.
 *
 * <p>Threads: immutable. Source: seed 000, subscription keys; protocols A3.
 *
 * @param kind what is named
 * @param id the name, compared byte for byte
 */
public record StreamKey(Kind kind, String id) {

    /** What a key names. */
    public enum Kind {
        /** Everything that concerns one account: hints and run changes. */
        ACCOUNT("account"),
        /** One agent: its details and its sessions' states. */
        AGENT("agents"),
        /** One session: its transcript. */
        SESSION("sessions"),
        /** One run tree, named by its root run. */
        RUN("runs");

        private final String prefix;

        Kind(String prefix) {
            this.prefix = prefix;
        }

        /** The first part of the text form. */
        public String prefix() {
            return prefix;
        }

        /** Whether streams of this kind hold durable entries. */
        public boolean durable() {
            return this == SESSION || this == RUN;
        }
    }

    /**
     * Checks the id.
     *
     * @throws IllegalArgumentException if the id is empty or holds a {@code /}
     */
    public StreamKey {
        Objects.requireNonNull(kind, "kind");
        if (id.isEmpty() || id.indexOf('/') >= 0) {
            throw new IllegalArgumentException("an id has one or more characters other than /");
        }
    }

    /** The key of an account. */
    public static StreamKey account(String id) {
        return new StreamKey(Kind.ACCOUNT, id);
    }

    /** The key of an agent. */
    public static StreamKey agent(String id) {
        return new StreamKey(Kind.AGENT, id);
    }

    /** The key of a session. */
    public static StreamKey session(String id) {
        return new StreamKey(Kind.SESSION, id);
    }

    /** The key of a run tree. */
    public static StreamKey run(String rootRunId) {
        return new StreamKey(Kind.RUN, rootRunId);
    }

    /** Reads the text form; empty if the text is not one. */
    public static Optional<StreamKey> parse(String text) {
        int slash = text.indexOf('/');
        if (slash < 0 || slash == text.length() - 1 || text.indexOf('/', slash + 1) >= 0) {
            return Optional.empty();
        }
        String prefix = text.substring(0, slash);
        for (Kind kind : Kind.values()) {
            if (kind.prefix.equals(prefix)) {
                return Optional.of(new StreamKey(kind, text.substring(slash + 1)));
            }
        }
        return Optional.empty();
    }

    /** The text form. */
    public String text() {
        return kind.prefix + '/' + id;
    }

    @Override
    public String toString() {
        return kind.name().toLowerCase(Locale.ROOT) + ' ' + id;
    }
}
