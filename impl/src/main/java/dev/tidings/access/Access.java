package dev.tidings.access;

import dev.tidings.Role;
import dev.tidings.delivery.Gate;
import dev.tidings.event.GrantChanged;
import dev.tidings.spi.Grants;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Who may do what with an agent, now.
 *
 * <p>A gate stands for one account and one agent and is shared by everything of that pair that waits to be sent. It is
 * closed by {@link #changed}, on the thread that commits a revocation and before anything else happens there; a look at
 * the grants opens it again if it was closed in vain (law 6). Every {@code tidings.access.recheck} all gates in use are
 * held against the grants, and if that fails all of them close.
 *
 * <p>Threads: any. {@link #role}, {@link #gate}, {@link #members} and {@link #recheck} may block on the grants.
 */
public final class Access {

    private final Grants grants;
    private final Map<Grants.Pair, WeakReference<Gate>> gates = new ConcurrentHashMap<>();
    private final Map<String, Members> members = new ConcurrentHashMap<>();

    /** Access over these grants. */
    public Access(Grants grants) {
        this.grants = grants;
    }

    /** The members of an agent, with the moment they were read in, for {@link #recheck}. */
    private record Members(Set<String> accounts) {}

    /** What an account may do with an agent at this moment, straight from the grants. */
    public Optional<Role> role(String agentId, String accountId) {
        return grants.role(agentId, accountId);
    }

    /**
     * The gate of an account and an agent. It is open if the account has a role now; it follows later changes for as
     * long as somebody holds it.
     */
    public Gate gate(String agentId, String accountId) {
        Grants.Pair pair = new Grants.Pair(agentId, accountId);
        Gate known = known(pair);
        if (known != null) {
            return known;
        }
        // Registered closed and then looked up: a revocation that commits in between closes the gate that is already
        // here, and the generation keeps the older look from opening it again.
        Gate fresh = new Gate(false);
        Gate[] shared = new Gate[1];
        gates.compute(pair, (p, ref) -> {
            Gate other = ref == null ? null : ref.get();
            shared[0] = other == null ? fresh : other;
            return other == null ? new WeakReference<>(fresh) : ref;
        });
        look(List.of(pair));
        return shared[0];
    }

    /** The owner and the accepted collaborators of an agent. */
    public Set<String> members(String agentId) {
        Members known = members.get(agentId);
        if (known != null) {
            return known.accounts();
        }
        long before = generation(agentId);
        Members read = new Members(Set.copyOf(grants.members(agentId)));
        members.put(agentId, read);
        if (generation(agentId) != before) {
            members.remove(agentId, read);
        }
        return read.accounts();
    }

    /** A grant was changed by a transaction that has committed. Never blocks. */
    public void changed(GrantChanged event) {
        generations.merge(event.agentId(), 1L, Long::sum);
        members.remove(event.agentId());
        if (event.accountId() != null) {
            Gate gate = known(new Grants.Pair(event.agentId(), event.accountId()));
            if (gate != null && event.role() == null) {
                gate.close();
            }
            return;
        }
        gates.forEach((pair, ref) -> {
            Gate gate = ref.get();
            if (gate != null && pair.agentId().equals(event.agentId())) {
                gate.close();
            }
        });
    }

    /** Looks again at what an event concerned: opens what it closed in vain, or what it gave. May block. */
    public void lookAgain(GrantChanged event) {
        look(pairsOf(event.agentId(), event.accountId()));
    }

    /** Holds every gate in use against the grants; if they can't be read, all close. May block. */
    public void recheck() {
        gates.values().removeIf(ref -> ref.get() == null);
        members.clear();
        look(List.copyOf(gates.keySet()));
        generations
                .keySet()
                .removeIf(agent ->
                        gates.keySet().stream().noneMatch(p -> p.agentId().equals(agent)));
    }

    // Raised by each committed change of an agent's grants. A look that began before a change says nothing about what
    // is true after it.
    private final Map<String, Long> generations = new ConcurrentHashMap<>();

    private long generation(String agentId) {
        return generations.getOrDefault(agentId, 0L);
    }

    private void look(List<Grants.Pair> pairs) {
        if (pairs.isEmpty()) {
            return;
        }
        Map<String, Long> before = new HashMap<>();
        pairs.forEach(pair -> before.put(pair.agentId(), generation(pair.agentId())));
        Map<Grants.Pair, Role> roles;
        try {
            roles = grants.roles(pairs);
        } catch (RuntimeException unknown) {
            roles = Map.of();
        }
        for (Grants.Pair pair : pairs) {
            Gate gate = known(pair);
            if (gate == null) {
                continue;
            }
            if (!roles.containsKey(pair)) {
                gate.close();
            } else if (!gate.isOpen()) {
                openUnlessChanged(gate, pair.agentId(), before.getOrDefault(pair.agentId(), 0L));
            }
        }
    }

    /** Opens a gate on the word of a look, and takes it back if a change has committed since the look began. */
    private void openUnlessChanged(Gate gate, String agentId, long before) {
        if (generation(agentId) != before) {
            return;
        }
        gate.open();
        if (generation(agentId) != before) {
            gate.close();
        }
    }

    private List<Grants.Pair> pairsOf(String agentId, @org.jspecify.annotations.Nullable String accountId) {
        List<Grants.Pair> pairs = new ArrayList<>();
        for (Grants.Pair pair : gates.keySet()) {
            if (pair.agentId().equals(agentId)
                    && (accountId == null || pair.accountId().equals(accountId))) {
                pairs.add(pair);
            }
        }
        return pairs;
    }

    private @org.jspecify.annotations.Nullable Gate known(Grants.Pair pair) {
        WeakReference<Gate> ref = gates.get(pair);
        return ref == null ? null : ref.get();
    }
}
