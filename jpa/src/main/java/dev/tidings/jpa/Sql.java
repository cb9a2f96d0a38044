package dev.tidings.jpa;

import dev.tidings.Payload;
import jakarta.persistence.EntityManager;
import jakarta.persistence.FlushModeType;
import jakarta.persistence.Query;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Native SQL with plain {@code ?} for arguments, through the entity manager of the caller's transaction.
 *
 * <p>Arguments are numbers, texts, bytes, payloads or nulls, or a collection of texts for {@code in (?)}. A null is
 * written into the statement, because providers disagree about the type that an unknown null is bound with. A collection
 * is padded to a power of two by repeating its last element, so that a provider's statement cache sees few statements.
 */
final class Sql {

    private final EntityManager entityManager;

    Sql(EntityManager entityManager) {
        this.entityManager = entityManager;
    }

    /** Runs a statement and gives the number of rows that it changed. */
    int update(String sql, @Nullable Object... arguments) {
        return query(sql, arguments).executeUpdate();
    }

    /** All rows of a query. */
    List<Row> rows(String sql, @Nullable Object... arguments) {
        List<?> results = query(sql, arguments).getResultList();
        List<Row> rows = new ArrayList<>(results.size());
        for (Object result : results) {
            rows.add(new Row(result instanceof Object[] columns ? columns : new Object[] {result}));
        }
        return rows;
    }

    /** The first row of a query. */
    Optional<Row> row(String sql, @Nullable Object... arguments) {
        return rows(sql, arguments).stream().findFirst();
    }

    private Query query(String sql, @Nullable Object[] arguments) {
        StringBuilder numbered = new StringBuilder(sql.length() + 32);
        List<Object> bound = new ArrayList<>(arguments.length);
        int next = 0;
        for (int i = 0; i < sql.length(); i++) {
            char c = sql.charAt(i);
            if (c == '?') {
                place(arguments[next++], numbered, bound);
            } else {
                numbered.append(c);
            }
        }
        Query query = entityManager.createNativeQuery(numbered.toString());
        // The tables are nobody's entities: what the host has not flushed cannot concern them, and Hibernate need not
        // drop the host's whole second-level cache when they change. Other providers ignore the hint.
        query.setFlushMode(FlushModeType.COMMIT);
        query.setHint("org.hibernate.query.native.spaces", "tidings");
        for (int i = 0; i < bound.size(); i++) {
            query.setParameter(i + 1, bound.get(i));
        }
        return query;
    }

    private static void place(@Nullable Object argument, StringBuilder numbered, List<Object> bound) {
        if (argument == null) {
            numbered.append("null");
        } else if (argument instanceof Collection<?> several) {
            List<?> list = List.copyOf(several);
            int padded = Integer.highestOneBit(list.size() * 2 - 1);
            for (int i = 0; i < padded; i++) {
                numbered.append(i == 0 ? "" : ", ");
                place(list.get(Math.min(i, list.size() - 1)), numbered, bound);
            }
        } else {
            bound.add(argument instanceof Payload payload ? payload.toUtf8() : argument);
            numbered.append('?').append(bound.size());
        }
    }

    /** Free text as it is stored. */
    static byte @Nullable [] utf8OrNull(@Nullable String text) {
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }
}
