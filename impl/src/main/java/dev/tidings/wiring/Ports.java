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
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
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

    /**
     * The ports of the Agents protocol and of the runs.
     *
     * @param writes whether all of them are there; if not, only the log, the directory and the grants are, and every call of
     *     another one throws
     */
    record Needed(
            boolean writes,
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

    /** What an application has that lets Tidings write for it. */
    private static final List<Class<?>> WRITING = List.of(
            EventWriter.class,
            DirectoryWriter.class,
            GrantsWriter.class,
            RunLedger.class,
            Approvals.class,
            Receipts.class,
            Transactions.class,
            SignerWriter.class,
            AgentRunner.class);

    /**
     * The ports that must be there: those for reading, and all others if there is one of them, or something that uses them.
     *
     * @param somethingWrites whether what is served needs those for writing
     * @throws IllegalStateException naming those that are missing
     */
    Needed needed(boolean somethingWrites) {
        boolean writes =
                somethingWrites || WRITING.stream().anyMatch(port -> find(port).isPresent());
        List<String> missing = new ArrayList<>();
        List<String> unused = new ArrayList<>();
        List<String> writing = writes ? missing : unused;
        Needed needed = new Needed(
                writes,
                need(EventLog.class, missing),
                need(EventWriter.class, writing),
                need(Directory.class, missing),
                need(DirectoryWriter.class, writing),
                need(Grants.class, missing),
                need(GrantsWriter.class, writing),
                need(RunLedger.class, writing),
                need(Approvals.class, writing),
                need(Receipts.class, writing),
                need(Transactions.class, writing));
        if (!missing.isEmpty()) {
            throw new IllegalStateException("tidings.agents.enabled is true, but the application has no bean for "
                    + String.join(", ", missing) + "; add tidings-jpa or beans of your own");
        }
        return needed;
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
        return find(AgentRunner.class);
    }

    /** What people may use by hand in a session, if the application has it. */
    Optional<SessionTools> tools() {
        return find(SessionTools.class);
    }

    /** The application's own threads, else managed ones of the container's factory with that name. */
    Threads threads(String factory) {
        return find(Threads.class).orElseGet(() -> ManagedThreads.ofTheContainer(factory));
    }

    /** A request context for threads that have none. */
    RequestScope requestScope() {
        return new RequestScope(beans.select(RequestContextController.class));
    }

    private <T> T need(Class<T> port, List<String> missing) {
        return find(port).orElseGet(() -> {
            missing.add(port.getSimpleName());
            return absent(port);
        });
    }

    private static <T> T absent(Class<T> port) {
        InvocationHandler none = (self, method, arguments) -> {
            throw new IllegalStateException("the application has no bean for " + port.getSimpleName());
        };
        return port.cast(Proxy.newProxyInstance(port.getClassLoader(), new Class<?>[] {port}, none));
    }

    private <T> Optional<T> find(Class<T> type) {
        Instance<T> candidates = beans.select(type);
        if (candidates.isAmbiguous()) {
            throw new IllegalStateException("the application has more than one bean for " + type.getSimpleName());
        }
        return candidates.isUnsatisfied() ? Optional.empty() : Optional.of(candidates.get());
    }
}
