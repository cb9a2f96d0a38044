package dev.tidings.sample.chat;

import dev.tidings.Role;
import dev.tidings.spi.Grants;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.transaction.Transactional;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who may read a chat: whoever opened it.
 *
 * <p>Threads: safe for use by many threads. Public for the container; not API.
 */
@ApplicationScoped
@Transactional
public class ChatGrants implements Grants {

    @PersistenceContext(unitName = "chat")
    private @Nullable EntityManager entityManager;

    @Override
    public Optional<Role> role(String agentId, String accountId) {
        return Optional.ofNullable(roles(List.of(new Pair(agentId, accountId))).get(new Pair(agentId, accountId)));
    }

    @Override
    public Map<Pair, Role> roles(Collection<Pair> pairs) {
        Map<Pair, Role> roles = new HashMap<>();
        for (Pair pair : pairs) {
            if (members(pair.agentId()).contains(pair.accountId())) {
                roles.put(pair, Role.READER);
            }
        }
        return roles;
    }

    @Override
    public Set<String> members(String agentId) {
        return Set.copyOf(Objects.requireNonNull(entityManager)
                .createQuery("select c.owner from Chat c where c.id = ?1", String.class)
                .setParameter(1, agentId)
                .getResultList());
    }
}
