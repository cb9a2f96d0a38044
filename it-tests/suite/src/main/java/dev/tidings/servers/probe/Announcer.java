package dev.tidings.servers.probe;

import dev.tidings.event.AccountHint;
import dev.tidings.sample.Desk;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Opens tickets and fires a hint in one transaction, for callers of every kind.
 *
 * <p>Threads: any. Public for the container; not API.
 */
@ApplicationScoped
public class Announcer {

    /** How many tickets an announcement is. */
    public static final int TICKETS = 3;

    @Inject
    private @Nullable Desk desk;

    @Inject
    private @Nullable Event<AccountHint> hints;

    /** Opens {@code <source> 1} to {@code <source> 3} and tells the account, in the caller's transaction if there is one. */
    @Transactional
    public void announce(Announcement announcement) {
        Objects.requireNonNull(hints)
                .fire(AccountHint.to(announcement.account(), "from-" + announcement.source(), null));
        for (int i = 1; i <= TICKETS; i++) {
            open(announcement.session(), announcement.source() + ' ' + i);
        }
    }

    /** Opens one ticket, in the caller's transaction if there is one. */
    @Transactional
    public void open(String session, String subject) {
        Objects.requireNonNull(desk).open(session, subject);
    }

    /** Opens one ticket in a transaction of its own. */
    @Transactional(Transactional.TxType.REQUIRES_NEW)
    public void openAlone(String session, String subject) {
        open(session, subject);
    }

    /** Opens one ticket in a transaction of its own, which rolls back. */
    @Transactional(Transactional.TxType.REQUIRES_NEW)
    public void openAloneAndThrow(String session, String subject) {
        open(session, subject);
        throw new IllegalStateException("changed its mind");
    }
}
