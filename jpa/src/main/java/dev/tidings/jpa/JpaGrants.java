package dev.tidings.jpa;

import dev.tidings.Role;
import dev.tidings.spi.Grants;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Derives access from the owner, the accepted collaborators and public read; there is no table of grants that could
 * disagree with them.
 *
 * <p>Not final and with a second constructor for the container's proxy. Threads: any.
 */
@ApplicationScoped
@Transactional
class JpaGrants implements Grants {

    private static final int PAIRS_A_QUERY = 256;

    private final Database database;

    @SuppressWarnings("NullAway") // the proxy's constructor
    protected JpaGrants() {
        this(null);
    }

    @Inject
    JpaGrants(Database database) {
        this.database = database;
    }

    @Override
    public Optional<Role> role(String agentId, String accountId) {
        Pair pair = new Pair(agentId, accountId);
        return Optional.ofNullable(roles(List.of(pair)).get(pair));
    }

    @Override
    public Map<Pair, Role> roles(Collection<Pair> pairs) {
        Map<Pair, Role> roles = new HashMap<>();
        List<Pair> possible = pairs.stream()
                .filter(pair -> StoredId.possible(pair.agentId()) && StoredId.possible(pair.accountId()))
                .distinct()
                .toList();
        for (int from = 0; from < possible.size(); from += PAIRS_A_QUERY) {
            readRoles(possible.subList(from, Math.min(possible.size(), from + PAIRS_A_QUERY)), roles);
        }
        return roles;
    }

    /** The collaborator outranks public read, and the owner both. */
    private void readRoles(List<Pair> pairs, Map<Pair, Role> roles) {
        List<String> agents = pairs.stream().map(Pair::agentId).distinct().toList();
        List<String> accounts = pairs.stream().map(Pair::accountId).distinct().toList();
        Map<Pair, Role> accepted = new HashMap<>();
        String collaborators = "select agent_id, account_id, role from tidings_collaborator"
                + " where status = 'accepted' and agent_id in (?) and account_id in (?)";
        for (Row row : database.sql().rows(collaborators, agents, accounts)) {
            accepted.put(
                    new Pair(row.text(0), row.text(1)), Role.ofCode(row.text(2)).orElseThrow());
        }
        Map<String, Row> known = new HashMap<>();
        String owners = "select id, account, public_read from tidings_agent where id in (?)";
        for (Row row : database.sql().rows(owners, agents)) {
            known.put(row.text(0), row);
        }
        for (Pair pair : pairs) {
            Row agent = known.get(pair.agentId());
            Role role = accepted.get(pair);
            if (agent == null) {
                continue;
            }
            if (agent.text(1).equals(pair.accountId())) {
                roles.put(pair, Role.OWNER);
            } else if (role != null) {
                roles.put(pair, role);
            } else if (agent.flag(2)) {
                roles.put(pair, Role.READER);
            }
        }
    }

    @Override
    public Set<String> membersAmong(String agentId, Collection<String> accounts) {
        Set<String> among = new HashSet<>();
        if (!StoredId.possible(agentId)) {
            return among;
        }
        String select = "select account from tidings_agent where id = ? and account in (?) union select c.account_id"
                + " from tidings_collaborator c join tidings_agent a on a.id = c.agent_id"
                + " where c.agent_id = ? and c.status = 'accepted' and c.account_id in (?)";
        List<String> possible =
                accounts.stream().filter(StoredId::possible).distinct().toList();
        for (int from = 0; from < possible.size(); from += PAIRS_A_QUERY) {
            List<String> some = possible.subList(from, Math.min(possible.size(), from + PAIRS_A_QUERY));
            database.sql().rows(select, agentId, some, agentId, some).forEach(row -> among.add(row.text(0)));
        }
        return among;
    }

    @Override
    public Set<String> members(String agentId) {
        Set<String> members = new HashSet<>();
        if (StoredId.possible(agentId)) {
            String select = "select account from tidings_agent where id = ? union select c.account_id"
                    + " from tidings_collaborator c join tidings_agent a on a.id = c.agent_id"
                    + " where c.agent_id = ? and c.status = 'accepted'";
            database.sql().rows(select, agentId, agentId).forEach(row -> members.add(row.text(0)));
        }
        return members;
    }
}
