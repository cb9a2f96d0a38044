package dev.tidings.jpa;

import dev.tidings.Payload;
import java.nio.charset.StandardCharsets;
import java.sql.Blob;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * One row of a result; columns are counted from 0.
 *
 * <p>Providers and drivers agree on neither the number types nor on bytes, so each read converts.
 */
record Row(@Nullable Object[] columns) {

    String text(int column) {
        return (String) required(column);
    }

    @Nullable
    String textOrNull(int column) {
        return (String) columns[column];
    }

    long number(int column) {
        return ((Number) required(column)).longValue();
    }

    @Nullable
    Long numberOrNull(int column) {
        return columns[column] == null ? null : number(column);
    }

    boolean flag(int column) {
        return number(column) != 0;
    }

    Payload payload(int column) {
        return Payload.ofUtf8(bytes(column));
    }

    @Nullable
    Payload payloadOrNull(int column) {
        return columns[column] == null ? null : payload(column);
    }

    /** Free text, which is stored as UTF-8. */
    String utf8(int column) {
        return new String(bytes(column), StandardCharsets.UTF_8);
    }

    @Nullable
    String utf8OrNull(int column) {
        return columns[column] == null ? null : utf8(column);
    }

    byte[] bytes(int column) {
        Object value = required(column);
        if (value instanceof byte[] bytes) {
            return bytes;
        }
        try {
            Blob blob = (Blob) value;
            return blob.getBytes(1, Math.toIntExact(blob.length()));
        } catch (SQLException e) {
            throw new IllegalStateException("the database did not give the bytes of a column", e);
        }
    }

    private Object required(int column) {
        Object value = columns[column];
        if (value == null) {
            throw new IllegalStateException("a column that is never null was null");
        }
        return value;
    }
}
