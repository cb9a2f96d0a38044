package dev.tidings.jpa;

import dev.tidings.Collaborator;
import dev.tidings.Collaborator.Status;
import dev.tidings.Role;
import dev.tidings.event.GrantChanged;
import dev.tidings.spi.GrantsWriter;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.Optional;

/**
 * Writes invitations and collaborators in the caller's transaction and fires what changed.
 *
 * <p>Not final and with a second constructor for the container's proxy. Threads: any.
 */
@ApplicationScoped
@Transactional(Transactional.TxType.MANDATORY)
class JpaGrantsWriter implements GrantsWriter {

    private final Database database;
    private final Event<GrantChanged> grantChanged;

    @SuppressWarnings("NullAway") // the proxy's constructor
    protected JpaGrantsWriter() {
        this(null, null);
    }

    @Inject
    JpaGrantsWriter(Database database, Event<GrantChanged> grantChanged) {
        this.database = database;
        this.grantChanged = grantChanged;
    }

    @Override
    public Collaborator invite(String agentId, String accountId, Role role, long now) {
        if (role == Role.OWNER) {
            throw new IllegalArgumentException("nobody is invited as an owner");
        }
        // A row that is not there cannot be locked: the agent's keeps two first invitations of one account apart.
        if (StoredId.possible(agentId)) {
            database.sql().row("select a.id from tidings_agent a where a.id = ? for update", agentId);
        }
        Collaborator before = locked(agentId, accountId).orElse(null);
        if (before == null) {
            Collaborator invited = new Collaborator(agentId, accountId, role, Status.PENDING, now, now);
            CollaboratorRow.insert(database.sql(), invited);
            return told(invited);
        }
        return before.role() == role ? before : changed(before, role, before.status(), now);
    }

    @Override
    public Optional<Collaborator> accept(String agentId, String accountId, long now) {
        return locked(agentId, accountId)
                .map(before -> before.status() == Status.ACCEPTED
                        ? before
                        : changed(before, before.role(), Status.ACCEPTED, now));
    }

    @Override
    public boolean decline(String agentId, String accountId) {
        return locked(agentId, accountId)
                        .filter(before -> before.status() == Status.PENDING)
                        .isPresent()
                && remove(agentId, accountId);
    }

    @Override
    public boolean remove(String agentId, String accountId) {
        if (locked(agentId, accountId).isEmpty()) {
            return false;
        }
        database.sql()
                .update("delete from tidings_collaborator where agent_id = ? and account_id = ?", agentId, accountId);
        grantChanged.fire(new GrantChanged(agentId, accountId, null));
        return true;
    }

    private Optional<Collaborator> locked(String agentId, String accountId) {
        if (!StoredId.possible(agentId) || !StoredId.possible(accountId)) {
            return Optional.empty();
        }
        String select = "select " + CollaboratorRow.COLUMNS
                + " from tidings_collaborator c where c.agent_id = ? and c.account_id = ? for update";
        return database.sql().row(select, agentId, accountId).map(CollaboratorRow::read);
    }

    private Collaborator changed(Collaborator before, Role role, Status status, long now) {
        Collaborator after = new Collaborator(
                before.agentId(),
                before.accountId(),
                role,
                status,
                before.createdAt(),
                Math.max(before.updatedAt(), now));
        CollaboratorRow.update(database.sql(), after);
        return told(after);
    }

    private Collaborator told(Collaborator collaborator) {
        grantChanged.fire(new GrantChanged(
                collaborator.agentId(),
                collaborator.accountId(),
                collaborator.status() == Collaborator.Status.ACCEPTED ? collaborator.role() : null));
        return collaborator;
    }
}
