package dev.tidings.jpa;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Writes down the statements that a thread runs through a data source, in order, whatever the provider.
 *
 * <p>Threads: any; each sees its own.
 */
final class CountedStatements {

    private final ThreadLocal<@Nullable List<String>> run = new ThreadLocal<>();

    /** The same data source, watched. */
    DataSource over(DataSource source) {
        return watched(DataSource.class, source, "");
    }

    /** What the calling thread runs meanwhile. */
    List<String> during(Runnable work) {
        List<String> statements = new ArrayList<>();
        run.set(statements);
        try {
            work.run();
        } finally {
            run.remove();
        }
        return statements;
    }

    private <T> T watched(Class<T> type, Object target, String sql) {
        return type.cast(Proxy.newProxyInstance(
                CountedStatements.class.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> call(target, sql, method, arguments)));
    }

    private @Nullable Object call(Object target, String sql, Method method, Object @Nullable [] arguments)
            throws Throwable {
        String given = arguments != null && arguments.length > 0 && arguments[0] instanceof String text ? text : sql;
        List<String> statements = run.get();
        if (statements != null
                && target instanceof Statement
                && method.getName().startsWith("execute")) {
            statements.add(given);
        }
        Object result;
        try {
            result = method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
        if (method.getName().equals("unwrap")) {
            return result;
        } else if (result instanceof PreparedStatement) {
            return watched(PreparedStatement.class, result, given);
        } else if (result instanceof Statement) {
            return watched(Statement.class, result, sql);
        } else if (result instanceof Connection && target instanceof DataSource) {
            return watched(Connection.class, result, sql);
        }
        return result;
    }
}
