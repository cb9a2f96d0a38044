package dev.tidings.jpa;

import java.util.List;

/**
 * A table into which many rows are inserted at once.
 *
 * @param name its name
 * @param columns what a row has, in the order of its values
 */
record BulkTable(String name, List<Column> columns) {

    /** What a column holds. */
    enum Type {
        TEXT,
        NUMBER,
        /** A {@link dev.tidings.Payload}. */
        PAYLOAD
    }

    record Column(String name, Type type) {}

    static Column text(String name) {
        return new Column(name, Type.TEXT);
    }

    static Column number(String name) {
        return new Column(name, Type.NUMBER);
    }

    static Column payload(String name) {
        return new Column(name, Type.PAYLOAD);
    }

    /** The beginning of an insert. */
    String insertInto() {
        return "insert into " + name + " ("
                + String.join(", ", columns.stream().map(Column::name).toList()) + ") ";
    }
}
