package dev.tidings.servers.probe;

import dev.tidings.spi.SignerAuthority;
import jakarta.annotation.Priority;
import jakarta.decorator.Decorator;
import jakarta.decorator.Delegate;
import jakarta.enterprise.inject.Any;
import jakarta.inject.Inject;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Notes calls of this port. Threads: any. Public for the container; not API. */
@Decorator
@Priority(100)
public abstract class NotedSigners implements SignerAuthority {

    @Inject
    @Delegate
    @Any
    private @Nullable SignerAuthority real;

    @Inject
    private @Nullable PortDiary diary;

    @Override
    public boolean authorized(String accountId, String signerId) {
        Objects.requireNonNull(diary).note("SignerAuthority");
        return Objects.requireNonNull(real).authorized(accountId, signerId);
    }
}
