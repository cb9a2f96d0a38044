package dev.tidings.testkit;

import dev.tidings.AgentInfo;
import dev.tidings.Collaborator;
import dev.tidings.Collaborator.Status;
import dev.tidings.Role;
import dev.tidings.SignerRole;
import dev.tidings.event.GrantChanged;
import dev.tidings.event.SignerRevoked;
import dev.tidings.spi.Grants;
import dev.tidings.spi.GrantsWriter;
import dev.tidings.spi.SignerAuthority;
import dev.tidings.spi.SignerWriter;
import dev.tidings.testkit.InMemoryStore.Row;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Grants, invitations and authorised signers in memory.
 *
 * <p>Threads: safe; a transaction belongs to one thread.
 */
final class InMemoryGrants implements Grants, GrantsWriter, SignerAuthority, SignerWriter {

    /** Stands, or was revoked at a time. */
    private record Signer(SignerRole role, @Nullable Long revokedAt) {
        boolean stands() {
            return revokedAt == null;
        }
    }

    private final InMemoryStore store;

    InMemoryGrants(InMemoryStore store) {
        this.store = store;
    }

    static Row<Collaborator> row(String agentId, String accountId) {
        return new Row<>(Collaborator.class, new Grants.Pair(agentId, accountId));
    }

    @Override
    public Optional<Role> role(String agentId, String accountId) {
        return agent(agentId).flatMap(agent -> {
            if (agent.account().equals(accountId)) {
                return Optional.of(Role.OWNER);
            }
            return store.find(row(agentId, accountId))
                    .filter(c -> c.status() == Status.ACCEPTED)
                    .map(Collaborator::role)
                    .or(() -> agent.publicRead() ? Optional.of(Role.READER) : Optional.empty());
        });
    }

    private Optional<AgentInfo> agent(String agentId) {
        return store.find(InMemoryDirectory.agentRow(agentId)).map(InMemoryDirectory.AgentRow::info);
    }

    @Override
    public Map<Grants.Pair, Role> roles(Collection<Grants.Pair> pairs) {
        Map<Grants.Pair, Role> roles = new HashMap<>();
        for (Grants.Pair pair : pairs) {
            role(pair.agentId(), pair.accountId()).ifPresent(role -> roles.put(pair, role));
        }
        return roles;
    }

    @Override
    public Set<String> members(String agentId) {
        Set<String> members = new HashSet<>();
        agent(agentId).ifPresent(agent -> {
            members.add(agent.account());
            for (Collaborator c : store.all(Collaborator.class)) {
                if (c.agentId().equals(agentId) && c.status() == Status.ACCEPTED) {
                    members.add(c.accountId());
                }
            }
        });
        return members;
    }

    @Override
    public Collaborator invite(String agentId, String accountId, Role role, long now) {
        if (role == Role.OWNER) {
            throw new IllegalArgumentException("nobody is invited as an owner");
        }
        Optional<Collaborator> before = store.lockRow(row(agentId, accountId));
        if (before.isPresent() && before.get().role() == role) {
            return before.get();
        }
        Collaborator after = before.map(c -> new Collaborator(
                        agentId, accountId, role, c.status(), c.createdAt(), Math.max(c.updatedAt(), now)))
                .orElse(new Collaborator(agentId, accountId, role, Status.PENDING, now, now));
        return write(after);
    }

    @Override
    public Optional<Collaborator> accept(String agentId, String accountId, long now) {
        return store.lockRow(row(agentId, accountId))
                .map(c -> c.status() == Status.ACCEPTED
                        ? c
                        : write(new Collaborator(
                                agentId,
                                accountId,
                                c.role(),
                                Status.ACCEPTED,
                                c.createdAt(),
                                Math.max(c.updatedAt(), now))));
    }

    private Collaborator write(Collaborator collaborator) {
        store.put(row(collaborator.agentId(), collaborator.accountId()), collaborator);
        store.fire(new GrantChanged(
                collaborator.agentId(),
                collaborator.accountId(),
                collaborator.status() == Status.ACCEPTED ? collaborator.role() : null));
        return collaborator;
    }

    @Override
    public boolean remove(String agentId, String accountId) {
        if (store.lockRow(row(agentId, accountId)).isEmpty()) {
            return false;
        }
        store.remove(row(agentId, accountId));
        store.fire(new GrantChanged(agentId, accountId, null));
        return true;
    }

    @Override
    public boolean authorized(String accountId, String signerId) {
        return store.find(signerRow(accountId, signerId)).filter(Signer::stands).isPresent();
    }

    @Override
    public boolean authorize(String accountId, String signerId, SignerRole role, long issuedAt, long now) {
        requireTwo(accountId, signerId);
        Long revokedAt = store.lockRow(signerRow(accountId, signerId))
                .map(Signer::revokedAt)
                .orElse(null);
        if (revokedAt != null && issuedAt <= revokedAt) {
            return false;
        }
        store.put(signerRow(accountId, signerId), new Signer(role, null));
        return true;
    }

    @Override
    public boolean revoke(String accountId, String signerId, long now) {
        requireTwo(accountId, signerId);
        Signer before = store.lockRow(signerRow(accountId, signerId)).orElse(null);
        store.put(signerRow(accountId, signerId), new Signer(before == null ? SignerRole.AGENT : before.role(), now));
        if (before == null || !before.stands()) {
            return false;
        }
        store.fire(new SignerRevoked(accountId, signerId));
        return true;
    }

    private static void requireTwo(String accountId, String signerId) {
        if (accountId.equals(signerId)) {
            throw new IllegalArgumentException("an account always signs for itself");
        }
    }

    private static Row<Signer> signerRow(String accountId, String signerId) {
        return new Row<>(Signer.class, new SignerAuthority.Pair(accountId, signerId));
    }
}
