package dev.tidings.jpa;

import dev.tidings.Collaborator;
import dev.tidings.Role;

/** An invitation or a collaborator in its table. */
final class CollaboratorRow {

    /** The columns that {@link #read} expects. */
    static final String COLUMNS = "c.agent_id, c.account_id, c.role, c.status, c.created_at, c.updated_at";

    private CollaboratorRow() {}

    static Collaborator read(Row row) {
        return new Collaborator(
                row.text(0),
                row.text(1),
                Role.ofCode(row.text(2)).orElseThrow(),
                Collaborator.Status.ofCode(row.text(3)),
                row.number(4),
                row.number(5));
    }

    static void insert(Sql sql, Collaborator c) {
        sql.update(
                "insert into tidings_collaborator (agent_id, account_id, role, status, created_at, updated_at)"
                        + " values (?, ?, ?, ?, ?, ?)",
                StoredId.require(c.agentId()),
                StoredId.require(c.accountId()),
                c.role().code(),
                c.status().code(),
                c.createdAt(),
                c.updatedAt());
    }

    static void update(Sql sql, Collaborator c) {
        sql.update(
                "update tidings_collaborator set role = ?, status = ?, updated_at = ?"
                        + " where agent_id = ? and account_id = ?",
                c.role().code(),
                c.status().code(),
                c.updatedAt(),
                c.agentId(),
                c.accountId());
    }
}
