package dev.tidings.wiring;

import jakarta.enterprise.inject.Instance;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Beans as a container would give them, found by type.
 *
 * <p>Threads: one.
 */
final class HandBeans {
    final List<Object> destroyed = new ArrayList<>();

    /** All of these. */
    @SuppressWarnings("unchecked")
    Instance<Object> of(Object... beans) {
        return (Instance<Object>) instance(List.of(beans));
    }

    /** One bean. */
    @SuppressWarnings("unchecked")
    <T> Instance<T> only(T bean) {
        return (Instance<T>) instance(List.of(bean));
    }

    private Instance<?> instance(List<?> beans) {
        return HandThreads.proxy(Instance.class, (name, arguments) -> answer(beans, name, arguments));
    }

    private @Nullable Object answer(List<?> beans, String name, Object[] arguments) {
        return switch (name) {
            case "select" ->
                instance(beans.stream()
                        .filter(((Class<?>) arguments[0])::isInstance)
                        .toList());
            case "isUnsatisfied" -> beans.isEmpty();
            case "isAmbiguous" -> beans.size() > 1;
            case "get" -> beans.get(0);
            case "destroy" -> {
                destroyed.add(arguments[0]);
                yield null;
            }
            default -> throw new UnsupportedOperationException(name);
        };
    }
}
