package dev.tidings.wiring;

import dev.tidings.access.Access;
import dev.tidings.access.KeyAccess;
import dev.tidings.event.ApiKeyRevoked;
import dev.tidings.event.GrantChanged;
import dev.tidings.event.SignerRevoked;
import java.util.List;
import java.util.Optional;

/**
 * What happens on the thread whose transaction has committed.
 *
 * <p>Threads: any. Never blocks.
 */
final class Commits {
    private final Access access;
    private final Optional<KeyAccess> keys;
    private final Dispatcher dispatcher;

    Commits(Access access, Optional<KeyAccess> keys, Dispatcher dispatcher) {
        this.access = access;
        this.keys = keys;
        this.dispatcher = dispatcher;
    }

    /**
     * The events of one transaction have committed. Access that was taken away is gone when this returns; everything
     * else is only enqueued (laws 6 and 13).
     */
    void committed(List<?> events) {
        for (Object event : events) {
            if (event instanceof GrantChanged change) {
                access.changed(change);
            } else if (event instanceof ApiKeyRevoked revocation) {
                keys.ifPresent(known -> known.revoked(revocation));
            } else if (event instanceof SignerRevoked revoked) {
                access.revoked(revoked);
            }
        }
        dispatcher.enqueue(events);
    }
}
