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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The ports in memory, for the contracts. Threads: safe. */
final class InMemoryPorts implements Ports {

    private final InMemoryTidings tidings = new InMemoryTidings();
    private final ConcurrentLinkedQueue<Object> events = new ConcurrentLinkedQueue<>();

    InMemoryPorts() {
        tidings.listen(events::add);
    }

    @Override
    public EventLog log() {
        return tidings.log();
    }

    @Override
    public EventWriter writer() {
        return tidings.writer();
    }

    @Override
    public Directory directory() {
        return tidings.directory();
    }

    @Override
    public DirectoryWriter directoryWriter() {
        return tidings.directoryWriter();
    }

    @Override
    public Grants grants() {
        return tidings.grants();
    }

    @Override
    public GrantsWriter grantsWriter() {
        return tidings.grantsWriter();
    }

    @Override
    public SignerAuthority signers() {
        return tidings.signers();
    }

    @Override
    public ApiKeys apiKeys() {
        return tidings.apiKeys();
    }

    @Override
    public ApiKeysWriter apiKeysWriter() {
        return tidings.apiKeysWriter();
    }

    @Override
    public Feed feed() {
        return tidings.feed();
    }

    @Override
    public RunLedger ledger() {
        return tidings.ledger();
    }

    @Override
    public Approvals approvals() {
        return tidings.approvals();
    }

    @Override
    public Receipts receipts() {
        return tidings.receipts();
    }

    @Override
    public Transactions transactions() {
        return tidings.transactions();
    }

    @Override
    public void setRollbackOnly() {
        tidings.setRollbackOnly();
    }

    @Override
    public SignerWriter signerWriter() {
        return tidings.signerWriter();
    }

    @Override
    public List<Object> takeEvents() {
        List<Object> taken = new ArrayList<>();
        for (Object event = events.poll(); event != null; event = events.poll()) {
            taken.add(event);
        }
        return taken;
    }
}
