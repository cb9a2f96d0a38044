package dev.tidings.access;

import dev.tidings.Role;
import dev.tidings.delivery.Gate;
import dev.tidings.event.GrantChanged;
import dev.tidings.event.SignerRevoked;
import dev.tidings.spi.Grants;
import dev.tidings.spi.SignerAuthority;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Who may do what with an agent, now.
 *
 * <p>A gate stands for one account, one agent and whoever signs for the account, and is shared by everything of these that
 * waits to be sent. It is closed by {@link #changed} or {@link #revoked}, on the thread that commits a revocation and before
 * anything else happens there; a look at the grants opens it again if it was closed in vain (law 6). Every
 * {@code tidings.access.recheck} all gates in use are held against the grants and the signers, in one question each, and if
 * that fails all that depend on it close. So does every gate whose last good look is too old, since a look may also hang:
 * {@link #silenceStale} sees to that, and a later look opens them again.
 *
 * <p>Threads: any. {@link #role}, {@link #members}, {@link #recheck} and what gives gates may block on the ports.
 */
public final class Access {

    private static final int MOST_ASKED = 1_000;

    private final Grants grants;
    private final SignerAuthority signers;
    private final long maxAgeNanos;
    private final LongSupplier nanoTime;
    private final Map<Pass, Place> gates = new ConcurrentHashMap<>();
    private final Map<String, Members> members = new ConcurrentHashMap<>();
    private final Map<String, Map<String, Boolean>> verdicts = new ConcurrentHashMap<>();

    /** Access over these grants, where every account signs for itself alone. */
    public Access(Grants grants) {
        this(grants, (account, signer) -> false);
    }

    /** Access over these grants and authorised signers, where no look is ever too old. */
    public Access(Grants grants, SignerAuthority signers) {
        this(grants, signers, Duration.ofDays(365), () -> 0);
    }

    /**
     * Access over these grants and authorised signers.
     *
     * @param maxAge how long what a look found holds, from when it began
     * @param nanoTime never goes back
     */
    public Access(Grants grants, SignerAuthority signers, Duration maxAge, LongSupplier nanoTime) {
        this.grants = grants;
        this.signers = signers;
        this.maxAgeNanos = maxAge.toNanos();
        this.nanoTime = nanoTime;
    }

    /** The gate of a pass, for as long as somebody holds it. */
    private static final class Place {
        final WeakReference<Gate> gate;
        // Volatile: when the last look began that found it open; written by looks, of which the youngest counts.
        volatile long lookedAt;

        Place(Gate gate, long now) {
            this.gate = new WeakReference<>(gate);
            this.lookedAt = now;
        }
    }

    /**
     * What a gate stands for.
     *
     * @param agentId the agent to be read; null if only the signer matters
     * @param signerId who signs; null for the account itself
     * @param forMember for things that only members are sent, which a switch of public read does not concern
     */
    private record Pass(
            @Nullable String agentId,
            String accountId,
            @Nullable String signerId,
            boolean forMember) {

        boolean of(SignerRevoked event) {
            return event.signerId().equals(signerId) && event.accountId().equals(accountId);
        }

        boolean of(GrantChanged event) {
            String account = event.accountId();
            return event.agentId().equals(agentId) && (account == null || account.equals(accountId));
        }
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

    /** The gate of an account that signs for itself, and an agent. */
    public Gate gate(String agentId, String accountId) {
        return gate(agentId, accountId, accountId);
    }

    /**
     * The gate of an agent, an account and whoever signs for it. It is open if the account has a role now, public reading
     * included, and the signer may act for the account; it follows later changes for as long as somebody holds it. A
     * switch of public read closes it for a moment, also for members: it is for what waits behind it and is not lost.
     */
    public Gate gate(String agentId, String accountId, String signerId) {
        return gate(new Pass(agentId, accountId, signerId.equals(accountId) ? null : signerId, false));
    }

    /** The gate of an account whatever agent it reads: open while the signer may act for it. */
    public Gate signerGate(String accountId, String signerId) {
        return signerId.equals(accountId) ? Gate.ALWAYS_OPEN : gate(new Pass(null, accountId, signerId, false));
    }

    /**
     * The gate for a single thing that only the agent's members are sent: like {@link #gate(String, String)}, but a switch
     * of public read does not touch it. What comes to it while it is closed is lost.
     */
    public Gate memberGate(String agentId, String accountId) {
        return gate(new Pass(agentId, accountId, null, true));
    }

    private Gate gate(Pass pass) {
        Gate known = known(pass);
        if (known != null && known.isOpen()) {
            return known;
        }
        // Registered closed and then looked up: a revocation that commits in between finds the gate and closes it, and
        // the older look does not open it again. A known gate that is closed is looked up as well: the look of whoever
        // registered it may still be under way, and what is sent to a closed gate is lost.
        Gate fresh = new Gate(false);
        Gate[] shared = new Gate[1];
        gates.compute(pass, (p, place) -> {
            Gate other = place == null ? null : place.gate.get();
            shared[0] = other == null ? fresh : other;
            return other == null ? new Place(fresh, nanoTime.getAsLong()) : place;
        });
        look(List.of(pass));
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

    /** Whether a signer may act for an account at this moment, straight from the authority. */
    public boolean signs(String accountId, String signerId) {
        return signerId.equals(accountId) || signers.authorized(accountId, signerId);
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
        if (event.role() == null) {
            close(pass -> pass.of(event) && !(event.membersKeep() && pass.forMember()));
        }
    }

    /** A signer was revoked by a transaction that has committed. Never blocks. */
    public void revoked(SignerRevoked event) {
        close(pass -> pass.of(event));
    }

    private void close(Predicate<Pass> which) {
        gates.forEach((pass, place) -> {
            Gate gate = place.gate.get();
            if (gate != null && which.test(pass)) {
                gate.close();
            }
        });
    }

    /**
     * Closes every gate whose last good look is too old; call it about once a second, from a thread that never waits for
     * the ports. Never blocks.
     */
    public void silenceStale() {
        long now = nanoTime.getAsLong();
        gates.forEach((pass, place) -> {
            Gate gate = place.gate.get();
            if (gate != null && gate.isOpen() && now - place.lookedAt > maxAgeNanos) {
                gate.close();
            }
        });
    }

    /** Looks again at what an event concerned: opens what it closed in vain, or what it gave. May block. */
    public void lookAgain(GrantChanged event) {
        look(gates.keySet().stream().filter(pass -> pass.of(event)).toList());
    }

    /** The same for a signer, who may have been authorised again. May block. */
    public void lookAgain(SignerRevoked event) {
        look(gates.keySet().stream().filter(pass -> pass.of(event)).toList());
    }

    /**
     * Holds every gate in use against the grants and the signers; what can't be read closes. May block.
     *
     * @return whether all could be read
     */
    public boolean recheck() {
        gates.values().removeIf(place -> place.gate.get() == null);
        members.clear();
        verdicts.clear();
        return look(List.copyOf(gates.keySet()));
    }

    private boolean look(List<Pass> passes) {
        long began = nanoTime.getAsLong();
        Map<Pass, Gate> looked = new HashMap<>();
        Map<Pass, Long> closings = new HashMap<>();
        for (Pass pass : passes) {
            Gate gate = known(pass);
            if (gate != null) {
                looked.put(pass, gate);
                closings.put(pass, gate.closings());
            }
        }
        Valid valid = valid(looked.keySet());
        // What hung for too long tells what was, not what is.
        boolean stale = nanoTime.getAsLong() - began > maxAgeNanos;
        looked.forEach((pass, gate) -> {
            if (stale || !valid.pass().test(pass)) {
                gate.close();
                return;
            }
            lookedAt(pass, gate, began);
            if (!gate.isOpen()) {
                gate.openUnlessClosedSince(closings.getOrDefault(pass, 0L));
            }
        });
        return valid.known() && !stale;
    }

    private void lookedAt(Pass pass, Gate gate, long began) {
        gates.computeIfPresent(pass, (p, place) -> {
            if (place.gate.get() == gate && began - place.lookedAt > 0) {
                place.lookedAt = began;
            }
            return place;
        });
    }

    /** Who may pass, as far as could be read; {@code known} if all could. */
    private record Valid(Predicate<Pass> pass, boolean known) {}

    /** Asks about all of them, at most once the grants and once the signers. */
    private Valid valid(Set<Pass> passes) {
        Set<Grants.Pair> readers = new HashSet<>();
        Set<SignerAuthority.Pair> delegates = new HashSet<>();
        for (Pass pass : passes) {
            if (pass.agentId() != null) {
                readers.add(new Grants.Pair(pass.agentId(), pass.accountId()));
            }
            if (pass.signerId() != null) {
                delegates.add(new SignerAuthority.Pair(pass.accountId(), pass.signerId()));
            }
        }
        // Nobody knows who has access where it cannot be read, so nobody has; the next look tells.
        Set<Grants.Pair> mayRead = mayReadOrNull(readers);
        Set<SignerAuthority.Pair> maySign = maySignOrNull(delegates);
        return new Valid(
                pass -> (pass.agentId() == null
                                || (mayRead != null
                                        && mayRead.contains(new Grants.Pair(pass.agentId(), pass.accountId()))))
                        && (pass.signerId() == null
                                || (maySign != null
                                        && maySign.contains(
                                                new SignerAuthority.Pair(pass.accountId(), pass.signerId())))),
                mayRead != null && maySign != null);
    }

    private @Nullable Set<Grants.Pair> mayReadOrNull(Set<Grants.Pair> pairs) {
        try {
            return pairs.isEmpty() ? Set.of() : grants.roles(pairs).keySet();
        } catch (RuntimeException unknown) {
            return null;
        }
    }

    private @Nullable Set<SignerAuthority.Pair> maySignOrNull(Set<SignerAuthority.Pair> pairs) {
        try {
            return pairs.isEmpty() ? Set.of() : signers.authorized(pairs);
        } catch (RuntimeException unknown) {
            return null;
        }
    }

    private @Nullable Gate known(Pass pass) {
        Place place = gates.get(pass);
        return place == null ? null : place.gate.get();
    }
}
