package dev.tidings.protocol.agents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.Role;
import dev.tidings.access.Access;
import dev.tidings.envelope.EnvelopeFixtures.Signer;
import dev.tidings.envelope.SignerCheck;
import dev.tidings.event.AccountHint;
import dev.tidings.spi.Grants;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** 1,000 agents with 1,000 collaborators each: a hint costs the sockets that are open, not the members that there are. */
class HintCostTest {
    private static final int AGENTS = 1_000;
    private static final int COLLABORATORS = 1_000;

    /** Every agent has the same owner and 1,000 collaborators of its own; some accounts collaborate everywhere. */
    private static final class Counted implements Grants {
        final Set<String> everywhere = new HashSet<>();
        long calls;
        long rows;

        @Override
        public Optional<Role> role(String agentId, String accountId) {
            calls++;
            rows++;
            return member(accountId) ? Optional.of(Role.READER) : Optional.empty();
        }

        private boolean member(String accountId) {
            return everywhere.contains(accountId);
        }

        @Override
        public Map<Pair, Role> roles(Collection<Pair> pairs) {
            calls++;
            rows += pairs.size();
            Map<Pair, Role> roles = new HashMap<>();
            pairs.stream().filter(pair -> member(pair.accountId())).forEach(pair -> roles.put(pair, Role.READER));
            return roles;
        }

        @Override
        public Set<String> members(String agentId) {
            calls++;
            rows += COLLABORATORS;
            Set<String> members = new HashSet<>(everywhere);
            for (int i = members.size(); i < COLLABORATORS; i++) {
                members.add(agentId + "-" + i);
            }
            return members;
        }

        @Override
        public Set<String> membersAmong(String agentId, Collection<String> accounts) {
            calls++;
            rows += accounts.size();
            Set<String> among = new HashSet<>(accounts);
            among.retainAll(everywhere);
            return among;
        }
    }

    private final Counted grants = new Counted();
    private final AgentsWorld world = new AgentsWorld(
            AgentsLimits.DEFAULTS,
            SignerCheck.OWN_ACCOUNT_ONLY,
            ports -> new AgentsPorts(ports.delivery(), new Access(grants), ports.directory(), ports.log()));

    @Test
    void hints_ofManyAgents_costOpenSockets() {
        List<AgentsWorld.Peer> members = new ArrayList<>();
        List<AgentsWorld.Peer> others = new ArrayList<>();
        for (int i = 10; i < 20; i++) {
            Signer signer = Signer.number(i);
            AgentsWorld.Peer peer = world.connect();
            peer.subscribe(signer, "account/" + signer.id());
            if (i < 13) {
                grants.everywhere.add(signer.id());
                members.add(peer);
            } else {
                others.add(peer);
            }
        }
        grants.calls = 0;
        grants.rows = 0;
        for (int i = 0; i < AGENTS; i++) {
            world.fire(AccountHint.toMembers("something", "agent-" + i, null));
        }
        members.forEach(peer -> assertEquals(AGENTS, peer.take().size()));
        others.forEach(peer -> assertEquals(List.of(), peer.take()));
        // Once who of the ten is a member, and once a gate for each of the three who are.
        assertTrue(grants.calls <= 4L * AGENTS, () -> grants.calls + " calls");
        assertTrue(grants.rows <= 13L * AGENTS, () -> grants.rows + " rows");
    }

    /** The second hint of an agent asks nothing, until the next look at all grants. */
    @Test
    void hints_ofOneAgent_askOnce() {
        Signer signer = Signer.number(10);
        grants.everywhere.add(signer.id());
        AgentsWorld.Peer peer = world.connect();
        peer.subscribe(signer, "account/" + signer.id());
        grants.calls = 0;
        for (int i = 0; i < 100; i++) {
            world.fire(AccountHint.toMembers("something-" + i, "agent-1", null));
        }
        assertEquals(100, peer.take().size());
        assertEquals(2, grants.calls);
    }

    /** Nobody listens: nothing is asked. */
    @Test
    void hints_nobodyListens_askNothing() {
        for (int i = 0; i < AGENTS; i++) {
            world.fire(AccountHint.toMembers("something", "agent-" + i, null));
        }
        assertEquals(0, grants.calls);
    }
}
