package dev.tidings.jpa;

import dev.tidings.spi.RunFence;
import dev.tidings.spi.RunLedger;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.time.Duration;
import java.util.List;

/**
 * Owners, leases and attempts; leases are measured by the database's clock alone.
 *
 * <p>Not final and with a second constructor for the container's proxy. Threads: any.
 */
@ApplicationScoped
@Transactional
class JpaRunLedger implements RunLedger {

    private final Database database;

    @SuppressWarnings("NullAway") // the proxy's constructor
    protected JpaRunLedger() {
        this(null);
    }

    @Inject
    JpaRunLedger(Database database) {
        this.database = database;
    }

    @Override
    @Transactional(TxType.MANDATORY)
    public RunFence take(String runId, String nodeId) {
        StoredId.require(nodeId);
        int taken = StoredId.possible(runId)
                ? sql().update(
                                "update tidings_run set owner_node = ?, attempt = attempt + 1 where id = ?",
                                nodeId,
                                runId)
                : 0;
        if (taken == 0) {
            throw new IllegalArgumentException("there is no such run to take");
        }
        return sql().row("select attempt from tidings_run where id = ?", runId)
                .map(row -> new RunFence(runId, row.number(0)))
                .orElseThrow();
    }

    @Override
    public void renewLease(String nodeId, Duration lease) {
        StoredId.require(nodeId);
        String until = now() + " + ?";
        int renewed = sql().update(
                        "update tidings_node set lease_until = " + until + " where id = ?", lease.toMillis(), nodeId);
        if (renewed == 0) {
            sql().update(
                            "insert into tidings_node (lease_until, id) values (" + until + ", ?)",
                            lease.toMillis(),
                            nodeId);
        }
    }

    @Override
    public List<Orphan> orphans(String nodeId) {
        StoredId.require(nodeId);
        return ownerless("r.owner_node = ? or ", nodeId);
    }

    @Override
    public List<Orphan> abandoned() {
        return ownerless("");
    }

    private List<Orphan> ownerless(String also, Object... arguments) {
        String select = "select " + RunRow.COLUMNS + ", r.attempt from tidings_run r"
                + " left join tidings_node n on n.id = r.owner_node"
                + " where r.status in ('claimed', 'running', 'waiting') and r.owner_node is not null"
                + " and (" + also + "n.id is null or n.lease_until <= " + now() + ")"
                + " order by r.created_at, r.id";
        return sql().rows(select, arguments).stream()
                .map(row -> new Orphan(RunRow.read(row).value(), new RunFence(row.text(0), row.number(RunRow.WIDTH))))
                .toList();
    }

    @Override
    public List<String> queuedSessions() {
        return sql()
                .rows("select distinct session_id from tidings_run where status = 'queued' and session_id is not null")
                .stream()
                .map(row -> row.text(0))
                .toList();
    }

    @Override
    @Transactional(TxType.MANDATORY)
    public boolean holds(RunFence fence) {
        return StoredId.possible(fence.runId())
                && sql().row("select attempt from tidings_run where id = ? for update", fence.runId())
                        .filter(row -> row.number(0) == fence.attempt())
                        .isPresent();
    }

    @Override
    public boolean owns(String nodeId, RunFence fence) {
        return StoredId.possible(fence.runId())
                && sql().row("select owner_node, attempt from tidings_run where id = ?", fence.runId())
                        .filter(row -> nodeId.equals(row.textOrNull(0)) && row.number(1) == fence.attempt())
                        .isPresent();
    }

    @Override
    @Transactional(TxType.MANDATORY)
    public boolean askCancel(String runId) {
        return StoredId.possible(runId)
                && sql().update(
                                        "update tidings_run set cancel_asked = 1 where id = ? and cancel_asked = 0"
                                                + " and owner_node is not null and status in ('claimed', 'running', 'waiting')",
                                        runId)
                        > 0;
    }

    @Override
    public List<String> cancelsAsked(String nodeId) {
        StoredId.require(nodeId);
        return sql()
                .rows(
                        "select id from tidings_run where owner_node = ? and cancel_asked = 1"
                                + " and status in ('claimed', 'running', 'waiting') order by created_at, id",
                        nodeId)
                .stream()
                .map(row -> row.text(0))
                .toList();
    }

    private String now() {
        return database.dialect().nowMillis();
    }

    private Sql sql() {
        return database.sql();
    }
}
