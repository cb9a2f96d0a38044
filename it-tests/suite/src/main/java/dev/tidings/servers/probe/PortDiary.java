package dev.tidings.servers.probe;

import jakarta.enterprise.concurrent.ManageableThread;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.ContextNotActiveException;
import jakarta.inject.Inject;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Notes on which threads and in which scopes the application's beans are called by Tidings.
 *
 * <p>Threads: any. Public for the container; not API.
 */
@ApplicationScoped
public class PortDiary {

    /** What was seen of one kind of call. */
    private static final class Page {
        private final AtomicInteger calls = new AtomicInteger();
        private final AtomicInteger withoutRequest = new AtomicInteger();
        private final AtomicInteger inTransaction = new AtomicInteger();
        private final Set<String> managed = ConcurrentHashMap.newKeySet();
        private final Set<String> virtual = ConcurrentHashMap.newKeySet();
        private final Set<String> others = ConcurrentHashMap.newKeySet();
    }

    private final Map<String, Page> pages = new ConcurrentSkipListMap<>();

    @Inject
    private @Nullable RequestMark request;

    @Inject
    private @Nullable TransactionMark transaction;

    /** Something is called, here. */
    void note(String kind) {
        Page page = pages.computeIfAbsent(kind, unknown -> new Page());
        page.calls.incrementAndGet();
        try {
            Objects.requireNonNull(request).touch();
        } catch (ContextNotActiveException none) {
            page.withoutRequest.incrementAndGet();
        }
        try {
            Objects.requireNonNull(transaction).touch();
            page.inTransaction.incrementAndGet();
        } catch (ContextNotActiveException none) {
            // Then it is not in one.
        }
        Thread thread = Thread.currentThread();
        String name = thread.getName().replaceAll("\\d+", "N");
        if (isVirtual(thread)) {
            page.virtual.add(name);
        } else {
            (thread instanceof ManageableThread ? page.managed : page.others).add(name);
        }
    }

    /** Java 17 has none, and no way to ask; newer ones say that all of them are in a group of this name. */
    private static boolean isVirtual(Thread thread) {
        ThreadGroup group = thread.getThreadGroup();
        return group != null && group.getName().equals("VirtualThreads");
    }

    /** What was seen so far, by kind. */
    JsonObject read() {
        JsonObjectBuilder all = Json.createObjectBuilder();
        pages.forEach((kind, page) -> all.add(
                kind,
                Json.createObjectBuilder()
                        .add("calls", page.calls.get())
                        .add("withoutRequest", page.withoutRequest.get())
                        .add("inTransaction", page.inTransaction.get())
                        .add("managed", Json.createArrayBuilder(page.managed))
                        .add("virtual", Json.createArrayBuilder(page.virtual))
                        .add("others", Json.createArrayBuilder(page.others))));
        return all.build();
    }
}
