package dev.tidings.protocol.agents;

import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which sockets hold a subscription to something of an agent: whom a deletion, or a change of grants, concerns.
 *
 * <p>Threads: any; changes for one socket come one at a time.
 */
final class Holders {
    private final ConcurrentHashMap<String, Set<Subscriptions>> byAgent = new ConcurrentHashMap<>();

    void add(String agentId, Subscriptions holder) {
        byAgent.compute(agentId, (id, known) -> {
            Set<Subscriptions> holders = known == null ? ConcurrentHashMap.newKeySet() : known;
            holders.add(holder);
            return holders;
        });
    }

    void remove(String agentId, Subscriptions holder) {
        byAgent.computeIfPresent(agentId, (id, holders) -> {
            holders.remove(holder);
            return holders.isEmpty() ? null : holders;
        });
    }

    /** The sockets that hold something of an agent, as they are when looked at. */
    Collection<Subscriptions> of(String agentId) {
        return byAgent.getOrDefault(agentId, Set.of());
    }

    /** How many agents are held, for tests. */
    int agents() {
        return byAgent.size();
    }
}
