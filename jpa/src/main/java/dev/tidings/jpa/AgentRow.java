package dev.tidings.jpa;

import dev.tidings.AgentInfo;
import dev.tidings.AgentInfo.AgentStatus;
import dev.tidings.Versioned;
import org.jspecify.annotations.Nullable;

/** An agent in its table. */
final class AgentRow {

    /** The columns that {@link #read} expects. */
    static final String COLUMNS = "a.id, a.account, a.definition, a.state_dir, a.status, a.created_at, a.updated_at,"
            + " a.public_read, a.version";

    private AgentRow() {}

    static Versioned<AgentInfo> read(Row row) {
        AgentInfo agent = new AgentInfo(
                row.text(0),
                row.text(1),
                row.payload(2),
                row.utf8OrNull(3),
                AgentStatus.ofCode(row.text(4)),
                row.number(5),
                row.number(6),
                row.flag(7));
        return new Versioned<>(agent, row.number(8));
    }

    static void insert(Sql sql, AgentInfo agent) {
        StoredId.require(agent.id());
        sql.update(
                "insert into tidings_agent (account, definition, state_dir, status, created_at, updated_at,"
                        + " public_read, version, id) values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                columns(agent, 1));
    }

    static void update(Sql sql, AgentInfo agent, long version) {
        sql.update(
                "update tidings_agent set account = ?, definition = ?, state_dir = ?, status = ?, created_at = ?,"
                        + " updated_at = ?, public_read = ?, version = ? where id = ?",
                columns(agent, version));
    }

    private static @Nullable Object[] columns(AgentInfo agent, long version) {
        return new Object[] {
            StoredId.require(agent.account()),
            agent.definition(),
            Sql.utf8OrNull(agent.stateDir()),
            agent.status().code(),
            agent.createdAt(),
            agent.updatedAt(),
            agent.publicRead() ? 1 : 0,
            version,
            agent.id()
        };
    }
}
