package dev.tidings.access;

import dev.tidings.Role;
import dev.tidings.delivery.Gate;
import dev.tidings.event.GrantChanged;
import dev.tidings.spi.Grants;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

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

    private static final int MOST_ASKED = 1_000;

    private final Grants grants;
    private final Map<Grants.Pair, WeakReference<Gate>> gates = new ConcurrentHashMap<>();
    private final Map<String, Members> members = new ConcurrentHashMap<>();
    private final Map<String, Map<String, Boolean>> verdicts = new ConcurrentHashMap<>();

    /** Access over these grants. */
    public Access(Grants grants) {
        this.grants = grants;
    }

    /** The members of an agent; without accounts while they are being read. Compared by identity. */
    private static final class Members {
        private final @Nullable Set<String> accounts;

        Members() {
            this.accounts = null;
        }

        Members(Set<String> accounts) {
            this.accounts = accounts;
        }

        @Nullable
        Set<String> accounts() {
            return accounts;
        }
    }

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
        if (known != null && known.isOpen()) {
            return known;
        }
        // Registered closed and then looked up: a revocation that commits in between finds the gate and closes it, and
        // the older look does not open it again. A known gate that is closed is looked up as well: the look of whoever
        // registered it may still be under way, and what is sent to a closed gate is lost.
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
        if (known != null && known.accounts() != null) {
            return known.accounts();
        }
        // The place is taken before the look, so that a change in the meantime empties it.
        Members place = new Members();
        members.put(agentId, place);
        Set<String> read = Set.copyOf(grants.members(agentId));
        members.computeIfPresent(agentId, (id, current) -> current == place ? new Members(read) : current);
        return read;
    }

    /**
     * Those of some accounts that are the owner or accepted collaborators of an agent. Costs as much as these accounts, or
     * as the members if these are many more.
     */
    public Set<String> membersAmong(String agentId, Set<String> accounts) {
        Members known = members.get(agentId);
        if ((known != null && known.accounts() != null) || accounts.size() > MOST_ASKED) {
            Set<String> all = new HashSet<>(members(agentId));
            all.retainAll(accounts);
            return all;
        }
        // Taken before the look: a change in the meantime takes the place away, and what was read with it.
        Map<String, Boolean> place = verdicts.computeIfAbsent(agentId, any -> new ConcurrentHashMap<>());
        Set<String> unknown = new HashSet<>(accounts);
        unknown.removeAll(place.keySet());
        Set<String> read = unknown.isEmpty() ? Set.of() : Set.copyOf(grants.membersAmong(agentId, unknown));
        unknown.forEach(account -> place.put(account, read.contains(account)));
        Set<String> found = new HashSet<>(accounts);
        found.removeIf(account -> !Boolean.TRUE.equals(place.get(account)));
        return found;
    }

    /** What several accounts may do with an agent at this moment, straight from the grants; those without are left out. */
    public Map<String, Role> roles(String agentId, Set<String> accounts) {
        Map<String, Role> roles = new HashMap<>();
        grants.roles(accounts.stream()
                        .map(account -> new Grants.Pair(agentId, account))
                        .toList())
                .forEach((pair, role) -> roles.put(pair.accountId(), role));
        return roles;
    }

    /** A grant was changed by a transaction that has committed. Never blocks. */
    public void changed(GrantChanged event) {
        members.remove(event.agentId());
        verdicts.remove(event.agentId());
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
        verdicts.clear();
        look(List.copyOf(gates.keySet()));
    }

    private void look(List<Grants.Pair> pairs) {
        Map<Grants.Pair, Gate> looked = new HashMap<>();
        Map<Grants.Pair, Long> closings = new HashMap<>();
        for (Grants.Pair pair : pairs) {
            Gate gate = known(pair);
            if (gate != null) {
                looked.put(pair, gate);
                closings.put(pair, gate.closings());
            }
        }
        if (looked.isEmpty()) {
            return;
        }
        Map<Grants.Pair, Role> roles;
        try {
            roles = grants.roles(looked.keySet());
        } catch (RuntimeException unknown) {
            // Nobody knows who has access, so nobody has; the next look tells.
            roles = Map.of();
        }
        for (Map.Entry<Grants.Pair, Gate> entry : looked.entrySet()) {
            Gate gate = entry.getValue();
            if (!roles.containsKey(entry.getKey())) {
                gate.close();
            } else if (!gate.isOpen()) {
                gate.openUnlessClosedSince(closings.getOrDefault(entry.getKey(), 0L));
            }
        }
    }

    private List<Grants.Pair> pairsOf(String agentId, @Nullable String accountId) {
        List<Grants.Pair> pairs = new ArrayList<>();
        for (Grants.Pair pair : gates.keySet()) {
            if (pair.agentId().equals(agentId)
                    && (accountId == null || pair.accountId().equals(accountId))) {
                pairs.add(pair);
            }
        }
        return pairs;
    }

    private @Nullable Gate known(Grants.Pair pair) {
        WeakReference<Gate> ref = gates.get(pair);
        return ref == null ? null : ref.get();
    }
}
