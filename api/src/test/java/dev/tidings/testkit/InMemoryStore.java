package dev.tidings.testkit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tidings.spi.Transactions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Rows under keys, with row locks and transactions.
 *
 * <p>Threads: safe; a transaction belongs to one thread.
 */
final class InMemoryStore implements Transactions {

    private static final long LOCK_WAIT_SECONDS = 10;
    private static final System.Logger LOG = System.getLogger(InMemoryStore.class.getName());

    /** Names a row. */
    record Row<V>(Class<V> table, Object key) {}

    /** What a transaction has done so far. Confined: the transaction's thread. */
    static final class Transaction {
        final @Nullable Transaction suspended;
        final Map<Row<?>, Optional<Object>> written = new LinkedHashMap<>();
        final List<Object> events = new ArrayList<>();
        final List<InMemoryLog.Staged> staged = new ArrayList<>();
        boolean rollbackOnly;

        Transaction(@Nullable Transaction suspended) {
            this.suspended = suspended;
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition released = lock.newCondition();

    @GuardedBy("lock")
    private final Map<Row<?>, Object> committed = new LinkedHashMap<>();

    @GuardedBy("lock")
    private final Map<Row<?>, Transaction> owners = new LinkedHashMap<>();

    private final ThreadLocal<@Nullable Transaction> current = new ThreadLocal<>();
    private final List<Consumer<Object>> listeners = new CopyOnWriteArrayList<>();

    void listen(Consumer<Object> listener) {
        listeners.add(listener);
    }

    void fire(Object event) {
        Transaction transaction = current.get();
        if (transaction == null) {
            deliver(List.of(event));
        } else {
            transaction.events.add(event);
        }
    }

    Transaction require() {
        Transaction transaction = current.get();
        if (transaction == null) {
            throw new IllegalStateException("there is no transaction");
        }
        return transaction;
    }

    void setRollbackOnly() {
        require().rollbackOnly = true;
    }

    /** The row, as the current transaction sees it. */
    <V> Optional<V> find(Row<V> row) {
        lock.lock();
        try {
            return findLocked(row);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    <V> Optional<V> findLocked(Row<V> row) {
        Transaction transaction = current.get();
        Optional<Object> own = transaction == null ? null : transaction.written.get(row);
        Object value = own == null ? committed.get(row) : own.orElse(null);
        return Optional.ofNullable(value).map(row.table()::cast);
    }

    /** All rows of a table, as the current transaction sees them. */
    <V> List<V> all(Class<V> table) {
        lock.lock();
        try {
            Map<Row<?>, Optional<Object>> seen = new LinkedHashMap<>();
            committed.forEach((row, value) -> seen.put(row, Optional.of(value)));
            Transaction transaction = current.get();
            if (transaction != null) {
                seen.putAll(transaction.written);
            }
            List<V> rows = new ArrayList<>();
            seen.forEach((row, value) -> {
                if (row.table() == table) {
                    value.map(table::cast).ifPresent(rows::add);
                }
            });
            return rows;
        } finally {
            lock.unlock();
        }
    }

    /** Locks a row until the current transaction ends, and reads it. */
    <V> Optional<V> lockRow(Row<V> row) {
        Transaction transaction = require();
        lock.lock();
        try {
            long nanos = TimeUnit.SECONDS.toNanos(LOCK_WAIT_SECONDS);
            Transaction owner = owners.get(row);
            while (owner != null && owner != transaction) {
                if (nanos <= 0 || suspends(transaction, owner)) {
                    throw new IllegalStateException("dead lock: another transaction holds the row");
                }
                nanos = released.awaitNanos(nanos);
                owner = owners.get(row);
            }
            owners.put(row, transaction);
            return findLocked(row);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } finally {
            lock.unlock();
        }
    }

    /** Locks a row until the current transaction ends, unless another one holds it or it does not exist. */
    boolean tryLockRow(Row<?> row) {
        Transaction transaction = require();
        lock.lock();
        try {
            Transaction owner = owners.get(row);
            boolean free =
                    (owner == null || owner == transaction) && findLocked(row).isPresent();
            if (free) {
                owners.put(row, transaction);
            }
            return free;
        } finally {
            lock.unlock();
        }
    }

    private static boolean suspends(Transaction transaction, Transaction owner) {
        for (Transaction t = transaction.suspended; t != null; t = t.suspended) {
            if (t == owner) {
                return true;
            }
        }
        return false;
    }

    /** Writes a row that the current transaction has locked. */
    <V> void put(Row<V> row, V value) {
        require().written.put(row, Optional.of(value));
    }

    /** Removes a row that the current transaction has locked. */
    void remove(Row<?> row) {
        require().written.put(row, Optional.empty());
    }

    @Override
    public <T> T required(Supplier<T> work) {
        Transaction joined = current.get();
        if (joined == null) {
            return requiresNew(work);
        }
        try {
            return work.get();
        } catch (RuntimeException | Error e) {
            joined.rollbackOnly = true;
            throw e;
        }
    }

    @Override
    public <T> T requiresNew(Supplier<T> work) {
        Transaction suspended = current.get();
        Transaction transaction = new Transaction(suspended);
        List<Object> events;
        T result;
        current.set(transaction);
        try {
            result = work.get();
            events = commit(transaction);
        } finally {
            release(transaction);
            current.set(suspended);
        }
        deliver(events);
        return result;
    }

    private List<Object> commit(Transaction transaction) {
        if (transaction.rollbackOnly) {
            throw new IllegalStateException("the transaction was rolled back");
        }
        lock.lock();
        try {
            List<Object> events = new ArrayList<>(InMemoryLog.number(transaction, this));
            transaction.written.forEach((row, value) -> write(row, value.orElse(null)));
            events.addAll(transaction.events);
            return events;
        } finally {
            lock.unlock();
        }
    }

    private void write(Row<?> row, @Nullable Object value) {
        lock.lock();
        try {
            if (value == null) {
                committed.remove(row);
            } else {
                committed.put(row, value);
            }
        } finally {
            lock.unlock();
        }
    }

    private void release(Transaction transaction) {
        lock.lock();
        try {
            owners.values().removeIf(owner -> owner == transaction);
            released.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void deliver(List<Object> events) {
        for (Object event : events) {
            for (Consumer<Object> listener : listeners) {
                try {
                    listener.accept(event);
                } catch (RuntimeException e) {
                    // The transaction has committed: a listener's failure must not make it look as if it had not.
                    LOG.log(System.Logger.Level.ERROR, "a listener failed", e);
                }
            }
        }
    }
}
