package dev.tidings.wiring;

import dev.tidings.spi.AgentRunner;
import dev.tidings.spi.ApiKeys;
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
import dev.tidings.spi.SessionTools;
import dev.tidings.spi.SignerAuthority;
import dev.tidings.spi.SignerWriter;
import dev.tidings.spi.Transactions;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.context.control.RequestContextController;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The ports as beans of the application: which are there, and which are missing. */
@Dependent
class Ports {

    private final Instance<Object> beans;

    @Inject
    Ports(@Any Instance<Object> beans) {
        this.beans = beans;
    }

    /** All that the Agents protocol and the runs need. */
    record Needed(
            EventLog log,
            EventWriter writer,
            Directory directory,
            DirectoryWriter directoryWriter,
            Grants grants,
            GrantsWriter grantsWriter,
            RunLedger ledger,
            Approvals approvals,
            Receipts receipts,
            Transactions transactions) {}

    /**
     * The ports that must be there.
     *
     * @throws IllegalStateException naming those that are missing
     */
    Needed needed() {
        List<String> missing = new ArrayList<>();
        Optional<EventLog> log = need(EventLog.class, missing);
        Optional<EventWriter> writer = need(EventWriter.class, missing);
        Optional<Directory> directory = need(Directory.class, missing);
        Optional<DirectoryWriter> directoryWriter = need(DirectoryWriter.class, missing);
        Optional<Grants> grants = need(Grants.class, missing);
        Optional<GrantsWriter> grantsWriter = need(GrantsWriter.class, missing);
        Optional<RunLedger> ledger = need(RunLedger.class, missing);
        Optional<Approvals> approvals = need(Approvals.class, missing);
        Optional<Receipts> receipts = need(Receipts.class, missing);
        Optional<Transactions> transactions = need(Transactions.class, missing);
        if (!missing.isEmpty()) {
            throw new IllegalStateException("tidings.agents.enabled is true, but the application has no bean for "
                    + String.join(", ", missing) + "; add tidings-jpa or beans of your own");
        }
        return new Needed(
                log.orElseThrow(),
                writer.orElseThrow(),
                directory.orElseThrow(),
                directoryWriter.orElseThrow(),
                grants.orElseThrow(),
                grantsWriter.orElseThrow(),
                ledger.orElseThrow(),
                approvals.orElseThrow(),
                receipts.orElseThrow(),
                transactions.orElseThrow());
    }

    /** The authority over signers; without one, only the account itself signs. */
    SignerAuthority signers() {
        return find(SignerAuthority.class).orElse((account, signer) -> false);
    }

    /** The numbers over the entries of all sessions, if the application has them. */
    Optional<Feed> feed() {
        return find(Feed.class);
    }

    /** The API keys, if the application keeps any. */
    Optional<ApiKeys> apiKeys() {
        return find(ApiKeys.class);
    }

    /** Where authorised signers are written; without it capabilities authorise nobody. */
    Optional<SignerWriter> signerWriter() {
        return find(SignerWriter.class);
    }

    /** What answers, if the application has it. */
    Optional<AgentRunner> runner() {
        return find(AgentRunner.class)
                .map(runner -> new RequestScopedRunner(runner, beans.select(RequestContextController.class)));
    }

    /** What people may use by hand in a session, if the application has it. */
    Optional<SessionTools> tools() {
        return find(SessionTools.class);
    }

    /** The application's own threads, else the container's managed ones. */
    Threads threads() {
        return find(Threads.class).orElseGet(ManagedThreads::ofTheContainer);
    }

    private <T> Optional<T> need(Class<T> port, List<String> missing) {
        Optional<T> found = find(port);
        if (found.isEmpty()) {
            missing.add(port.getSimpleName());
        }
        return found;
    }

    private <T> Optional<T> find(Class<T> type) {
        Instance<T> candidates = beans.select(type);
        if (candidates.isAmbiguous()) {
            throw new IllegalStateException("the application has more than one bean for " + type.getSimpleName());
        }
        return candidates.isUnsatisfied() ? Optional.empty() : Optional.of(candidates.get());
    }
}
