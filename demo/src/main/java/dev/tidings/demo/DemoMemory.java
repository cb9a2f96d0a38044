package dev.tidings.demo;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tidings.Payload;
import dev.tidings.SessionInfo;
import dev.tidings.spi.RunFailure;
import dev.tidings.spi.SessionTools;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A small memory of names and texts, one an agent, for people who use the session's tools by hand; gone with the process.
 *
 * <p>{@code read {address}} gives a text, or the names if the address is empty or ends with a slash; {@code write
 * {address, content}} keeps one; {@code call {name: forget, address}} drops one.
 *
 * <p>Threads: safe.
 */
public final class DemoMemory implements SessionTools {

    private static final int MOST_TEXTS = 100;
    private static final int MOST_CHARS = 16 * 1024;
    private static final int MOST_AGENTS = 100;

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<String, Map<String, String>> texts = new HashMap<>();

    /** An empty memory. */
    public DemoMemory() {}

    @Override
    public Payload invoke(SessionInfo session, String accountId, String verb, Payload input) {
        Map<String, String> members = input.textMembers(Set.of("address", "content", "name"));
        String address = members.getOrDefault("address", "");
        lock.lock();
        try {
            Map<String, String> own = texts.computeIfAbsent(session.agentId(), agent -> new TreeMap<>());
            if (texts.size() > MOST_AGENTS) {
                texts.remove(session.agentId());
                throw new RunFailure("memory_full", "The memory is full.");
            }
            return switch (verb) {
                case "read" -> read(own, address);
                case "write" -> write(own, address, members.get("content"));
                case "call" -> call(own, address, members.getOrDefault("name", ""));
                default -> throw new RunFailure("unknown_verb", "There is no such tool.");
            };
        } finally {
            lock.unlock();
        }
    }

    private static Payload read(Map<String, String> own, String address) {
        if (address.isEmpty() || address.endsWith("/")) {
            StringJoiner names = new StringJoiner(",", "[", "]");
            own.keySet().stream().filter(name -> name.startsWith(address)).forEach(name -> names.add(Json.text(name)));
            return Json.object(
                    "summary", Json.text("The memory holds " + own.size() + " texts."), "names", names.toString());
        }
        return Json.object("address", Json.text(address), "content", Json.text(found(own, address)));
    }

    private static Payload write(
            Map<String, String> own, String address, @org.jspecify.annotations.Nullable String content) {
        if (address.isEmpty() || address.endsWith("/") || content == null) {
            throw new RunFailure("invalid_input", "A text needs an address and a content.");
        }
        if (address.length() + content.length() > MOST_CHARS
                || (own.size() >= MOST_TEXTS && !own.containsKey(address))) {
            throw new RunFailure("memory_full", "The memory is full.");
        }
        own.put(address, content);
        return Json.object("address", Json.text(address), "size", Integer.toString(content.length()));
    }

    private static Payload call(Map<String, String> own, String address, String name) {
        if (!name.equals("forget")) {
            throw new RunFailure("unknown_tool", "There is no such tool.");
        }
        String forgotten = found(own, address);
        own.remove(address);
        return Json.object("address", Json.text(address), "size", Integer.toString(forgotten.length()));
    }

    private static String found(Map<String, String> own, String address) {
        String text = own.get(address);
        if (text == null) {
            throw new RunFailure("not_found", "There is no text at this address.");
        }
        return text;
    }
}
