package dev.tidings.testkit;

import dev.tidings.SignerRole;
import dev.tidings.spi.ApiKeys;
import dev.tidings.spi.ApiKeysWriter;
import dev.tidings.spi.Approvals;
import dev.tidings.spi.Directory;
import dev.tidings.spi.DirectoryWriter;
import dev.tidings.spi.EventLog;
import dev.tidings.spi.EventWriter;
import dev.tidings.spi.Feed;
import dev.tidings.spi.Grants;
import dev.tidings.spi.GrantsWriter;
import dev.tidings.spi.Receipts;
import dev.tidings.spi.RunLedger;
import dev.tidings.spi.SignerAuthority;
import dev.tidings.spi.SignerWriter;
import dev.tidings.spi.Transactions;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * All ports over one store in memory, with the transactions of a database.
 *
 * <p>What a transaction wrote is seen by itself at once and by others after its commit; a row that it wrote is locked
 * until it ends, and who waits for it longer than ten seconds gets an exception. Entries are numbered while a
 * transaction commits. Listeners get the events of a transaction after its commit, on the thread that committed, under
 * no lock: first one {@code EntriesStored} a stream, by key, then the rest in the order in which they were fired.
 * Nothing comes of a transaction that rolled back. Events fired outside a transaction come at once.
 *
 * <p>Threads: safe for use by many threads, each in its own transaction.
 */
public final class InMemoryTidings {

    private final InMemoryStore store = new InMemoryStore();
    private final InMemoryLog log = new InMemoryLog(store);
    private final InMemoryDirectory directory = new InMemoryDirectory(store, log);
    private final InMemoryGrants grants = new InMemoryGrants(store);
    private final InMemoryApiKeys apiKeys = new InMemoryApiKeys(store);
    private final InMemoryFeed feed;
    private final InMemoryApprovals approvals = new InMemoryApprovals(store);
    private final InMemoryReceipts receipts = new InMemoryReceipts(store);
    private final InMemoryLedger ledger;
    private final LongSupplier clock;

    /** An empty store that lives by the system's clock. */
    public InMemoryTidings() {
        this(System::currentTimeMillis);
    }

    /**
     * An empty store.
     *
     * @param databaseClock the clock of leases and revocations, epoch milliseconds
     */
    public InMemoryTidings(LongSupplier databaseClock) {
        clock = databaseClock;
        feed = new InMemoryFeed(
                log,
                directory,
                () -> store.all(InMemoryDirectory.SessionRow.class).stream()
                        .map(row -> row.info().id())
                        .toList(),
                databaseClock);
        ledger = new InMemoryLedger(store, databaseClock);
    }

    /** Hands the events of committed transactions, and those fired outside of one, to {@code listener}. */
    public void listen(Consumer<Object> listener) {
        store.listen(listener);
    }

    /** Fires an event of the backend's own, such as a hint or a signal: at the commit, or at once outside one. */
    public void fire(Object event) {
        store.fire(event);
    }

    /** Makes the current transaction one that can only roll back. */
    public void setRollbackOnly() {
        store.setRollbackOnly();
    }

    /** Lets a signer act for an account. */
    public void authorize(String accountId, String signerId) {
        store.run(() -> grants.authorize(accountId, signerId, SignerRole.AGENT, clock.getAsLong()));
    }

    /** Ends what {@link #authorize} began, and fires {@code SignerRevoked}. */
    public void revoke(String accountId, String signerId) {
        store.run(() -> grants.revoke(accountId, signerId, clock.getAsLong()));
    }

    /** The log, for reading. */
    public EventLog log() {
        return log;
    }

    /** The log, for writing. */
    public EventWriter writer() {
        return log;
    }

    /** Agents, sessions and runs, for reading. */
    public Directory directory() {
        return directory;
    }

    /** Agents, sessions and runs, for writing. */
    public DirectoryWriter directoryWriter() {
        return directory;
    }

    /** Who may do what. */
    public Grants grants() {
        return grants;
    }

    /** Invitations. */
    public GrantsWriter grantsWriter() {
        return grants;
    }

    /** Authorised signers. */
    public SignerAuthority signers() {
        return grants;
    }

    /** API keys. */
    public ApiKeys apiKeys() {
        return apiKeys;
    }

    /** API keys, for writing. */
    public ApiKeysWriter apiKeysWriter() {
        return apiKeys;
    }

    /** Authorised signers, for writing. */
    public SignerWriter signerWriter() {
        return grants;
    }

    /** Numbers over the entries of all sessions. */
    public Feed feed() {
        return feed;
    }

    /** Who works on which run. */
    public RunLedger ledger() {
        return ledger;
    }

    /** Approvals. */
    public Approvals approvals() {
        return approvals;
    }

    /** Receipts of commands. */
    public Receipts receipts() {
        return receipts;
    }

    /** Transactions. */
    public Transactions transactions() {
        return store;
    }
}
