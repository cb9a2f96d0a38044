package dev.tidings.testkit;

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
import java.util.List;

/**
 * An implementation of the ports, as the contracts need it: over an empty store, or one whose ids are not used again.
 *
 * <p>Threads: safe for use by many threads, each in its own transaction.
 */
public interface Ports {

    /** The log, for reading. */
    EventLog log();

    /** The log, for writing. */
    EventWriter writer();

    /** Agents, sessions and runs, for reading. */
    Directory directory();

    /** Agents, sessions and runs, for writing. */
    DirectoryWriter directoryWriter();

    /** Who may do what. */
    Grants grants();

    /** Invitations. */
    GrantsWriter grantsWriter();

    /** Authorised signers. */
    SignerAuthority signers();

    /** API keys. */
    ApiKeys apiKeys();

    /** API keys, for writing. */
    ApiKeysWriter apiKeysWriter();

    /** Numbers over the entries of all sessions. */
    Feed feed();

    /** Who works on which run. */
    RunLedger ledger();

    /** Approvals. */
    Approvals approvals();

    /** Receipts of commands. */
    Receipts receipts();

    /** Transactions. */
    Transactions transactions();

    /** Makes the current transaction one that can only roll back. */
    void setRollbackOnly();

    /** Authorised signers, for writing. */
    SignerWriter signerWriter();

    /** The events of committed transactions since the last call, in the order in which they came. */
    List<Object> takeEvents();
}
