package dev.tidings.access;

import dev.tidings.Role;
import dev.tidings.spi.Grants;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Grants whose rows a test changes by hand, and which let something else happen around every read.
 *
 * <p>Threads: any, but for the hooks, which are set before threads start.
 */
final class HandGrants implements Grants {
    private final Map<Pair, Role> rows = new ConcurrentHashMap<>();
    // Volatile: set by a test, read by whoever looks.
    volatile boolean broken;
    volatile Runnable beforeRead = () -> {};
    volatile Runnable afterRead = () -> {};
    // Volatile: written by each look.
    private volatile Set<Pair> lastAsked = Set.of();

    void accept(String agentId, String accountId, Role role) {
        rows.put(new Pair(agentId, accountId), role);
    }

    void remove(String agentId, String accountId) {
        rows.remove(new Pair(agentId, accountId));
    }

    boolean has(String agentId, String accountId) {
        return rows.containsKey(new Pair(agentId, accountId));
    }

    /** Hooks that run once. */
    void once(Runnable before, Runnable after) {
        beforeRead = () -> {
            beforeRead = () -> {};
            before.run();
        };
        afterRead = () -> {
            afterRead = () -> {};
            after.run();
        };
    }

    /** The pairs that were asked for in the last look. */
    Set<Pair> lastAsked() {
        return lastAsked;
    }

    @Override
    public Optional<Role> role(String agentId, String accountId) {
        return Optional.ofNullable(roles(Set.of(new Pair(agentId, accountId))).get(new Pair(agentId, accountId)));
    }

    @Override
    public Map<Pair, Role> roles(Collection<Pair> pairs) {
        beforeRead.run();
        if (broken) {
            throw new IllegalStateException("the grants cannot be read");
        }
        lastAsked = Set.copyOf(pairs);
        Map<Pair, Role> roles = new HashMap<>();
        for (Pair pair : pairs) {
            Role role = rows.get(pair);
            if (role != null) {
                roles.put(pair, role);
            }
        }
        afterRead.run();
        return roles;
    }

    @Override
    public Set<String> members(String agentId) {
        beforeRead.run();
        if (broken) {
            throw new IllegalStateException("the grants cannot be read");
        }
        Set<String> members = new HashSet<>();
        rows.forEach((pair, role) -> {
            if (pair.agentId().equals(agentId) && role != Role.READER) {
                members.add(pair.accountId());
            }
        });
        afterRead.run();
        return members;
    }
}
