package dev.tidings.jpa;

import dev.tidings.TidingsException;

/**
 * The tables of Tidings are missing, are newer than this version knows, or were made by a changed migration; nothing was
 * written.
 *
 * <p>Threads: as any exception.
 */
public final class SchemaException extends TidingsException {
    private static final long serialVersionUID = 1L;

    SchemaException(String message) {
        super(message);
    }

    SchemaException(String message, Throwable cause) {
        super(message, cause);
    }
}
