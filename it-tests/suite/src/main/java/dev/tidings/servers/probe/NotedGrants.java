package dev.tidings.servers.probe;

import dev.tidings.Role;
import dev.tidings.spi.Grants;
import jakarta.annotation.Priority;
import jakarta.decorator.Decorator;
import jakarta.decorator.Delegate;
import jakarta.enterprise.inject.Any;
import jakarta.inject.Inject;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Notes calls of this port. Threads: any. Public for the container; not API. */
@Decorator
@Priority(100)
public abstract class NotedGrants implements Grants {

    @Inject
    @Delegate
    @Any
    private @Nullable Grants real;

    @Inject
    private @Nullable PortDiary diary;

    @Override
    public Optional<Role> role(String agentId, String accountId) {
        Objects.requireNonNull(diary).note("Grants");
        return Objects.requireNonNull(real).role(agentId, accountId);
    }

    @Override
    public Map<Pair, Role> roles(Collection<Pair> pairs) {
        Objects.requireNonNull(diary).note("Grants");
        return Objects.requireNonNull(real).roles(pairs);
    }

    @Override
    public Set<String> membersAmong(String agentId, Collection<String> accounts) {
        Objects.requireNonNull(diary).note("Grants");
        return Objects.requireNonNull(real).membersAmong(agentId, accounts);
    }
}
