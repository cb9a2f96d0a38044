package dev.tidings.servers.probe;

import dev.tidings.spi.Receipts;
import jakarta.annotation.Priority;
import jakarta.decorator.Decorator;
import jakarta.decorator.Delegate;
import jakarta.enterprise.inject.Any;
import jakarta.inject.Inject;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Notes calls of this port. Threads: any. Public for the container; not API. */
@Decorator
@Priority(100)
public abstract class NotedReceipts implements Receipts {

    @Inject
    @Delegate
    @Any
    private @Nullable Receipts real;

    @Inject
    private @Nullable PortDiary diary;

    @Override
    public Map<String, Receipt> find(String accountId, Collection<String> commandIds, long now) {
        Objects.requireNonNull(diary).note("Receipts");
        return Objects.requireNonNull(real).find(accountId, commandIds, now);
    }

    @Override
    public void create(Receipt receipt, long now) {
        Objects.requireNonNull(diary).note("Receipts");
        Objects.requireNonNull(real).create(receipt, now);
    }
}
