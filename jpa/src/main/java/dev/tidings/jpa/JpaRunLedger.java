package dev.tidings.jpa;

import dev.tidings.spi.RunFence;
import dev.tidings.spi.RunLedger;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Owners, leases and attempts; leases are measured by the database's clock alone.
 *
 * <p>Not final and with a second constructor for the container's proxy. Threads: any.
 */
@ApplicationScoped
@Transactional
class JpaRunLedger implements RunLedger {

    private final Database database;
    // Volatile: written once it was read; every thread reads the same.
    private volatile @Nullable Dialect dialect;

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
        String select = "select " + RunRow.COLUMNS + ", r.attempt from tidings_run r"
                + " left join tidings_node n on n.id = r.owner_node"
                + " where r.status in ('claimed', 'running', 'waiting') and r.owner_node is not null"
                + " and (r.owner_node = ? or n.id is null or n.lease_until <= " + now() + ")"
                + " order by r.created_at, r.id";
        return sql().rows(select, nodeId).stream()
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

    private String now() {
        Dialect known = dialect;
        if (known == null) {
            known = Dialect.ofCode(sql().row("select dialect from tidings_epoch where id = 1")
                    .orElseThrow(() -> new IllegalStateException("the database was not migrated"))
                    .text(0));
            dialect = known;
        }
        return known.nowMillis();
    }

    private Sql sql() {
        return database.sql();
    }
}
