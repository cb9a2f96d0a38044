package dev.tidings.servers.plain;

import jakarta.enterprise.context.ApplicationScoped;

/**
 * Answers with the same, which it compares on the way as records are compared.
 *
 * <p>Threads: many. Public for the container; not API.
 */
@ApplicationScoped
public class PlainBean {

    /** A type of this application. Public for the container; not API. */
    public record Said(String text, Kind kind) {}

    /** As well. */
    public enum Kind {
        /** The only one. */
        ECHO
    }

    /** The same. */
    public String echo(String text) {
        Said said = new Said(text, Kind.ECHO);
        if (!said.equals(new Said(text, Kind.ECHO))) {
            throw new IllegalStateException("records are not what they were");
        }
        return said.text();
    }
}
