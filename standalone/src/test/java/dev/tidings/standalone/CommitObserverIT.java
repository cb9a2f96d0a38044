package dev.tidings.standalone;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.arjuna.ats.jta.cdi.TransactionExtension;
import com.arjuna.ats.jta.cdi.transactional.TransactionalInterceptorRequiresNew;
import dev.tidings.EntryKind;
import dev.tidings.Payload;
import dev.tidings.Role;
import dev.tidings.SessionInfo;
import dev.tidings.SessionStatus;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.event.AccountHint;
import dev.tidings.event.EntriesStored;
import dev.tidings.event.GrantChanged;
import dev.tidings.event.SessionChanged;
import dev.tidings.event.Signal;
import dev.tidings.event.SignerRevoked;
import dev.tidings.wiring.RecordedCommits;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.TransactionPhase;
import jakarta.inject.Inject;
import jakarta.transaction.Status;
import jakarta.transaction.Transactional;
import jakarta.transaction.UserTransaction;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import org.jboss.weld.environment.se.Weld;
import org.jboss.weld.environment.se.WeldContainer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Law 2: nothing is shown before its transaction committed, and nothing of one that rolled back; in a real container. */
@Timeout(120)
class CommitObserverIT {
    private static final EntriesStored ENTRIES = entries("s");
    private static final EntriesStored OTHER_ENTRIES = entries("t");
    private static final SessionChanged STREAMING = session(SessionStatus.STREAMING);
    private static final SessionChanged FAILED = session(SessionStatus.ERROR);
    private static final GrantChanged GRANT = new GrantChanged("a", "u", Role.WRITER);
    private static final AccountHint HINT = AccountHint.toMembers("agent-invites-changed", "a", null);
    private static final Signal SIGNAL = Signal.Partial.text("s", "p", "x");

    private final RecordedCommits commits = new RecordedCommits();
    private @Nullable WeldContainer beans;

    /** A backend: fires in transactions of its own and of its caller's. */
    @ApplicationScoped
    static class Backend {
        private final @Nullable Event<Object> events;

        @Inject
        Backend(Event<Object> events) {
            this.events = events;
        }

        Backend() {
            this.events = null;
        }

        void fire(Object... fired) {
            if (events == null) {
                throw new IllegalStateException("not injected");
            }
            List.of(fired).forEach(events::fire);
        }

        @Transactional(Transactional.TxType.REQUIRES_NEW)
        void fireInOneOfItsOwn(Object event) {
            fire(event);
        }
    }

    /** Another listener of the application's, which fails once the transaction has committed. */
    @ApplicationScoped
    static class Faulty {
        void committed(@Observes(during = TransactionPhase.AFTER_SUCCESS) SignerRevoked event) {
            throw new IllegalStateException("as the test wants");
        }
    }

    @BeforeAll
    static void configure(@TempDir Path data) {
        Logging.configure("off");
        Transactions.configure(data);
    }

    @BeforeEach
    void start() {
        beans = weld().addExtension(new TransactionExtension())
                .addBeanClass(TransactionalInterceptorRequiresNew.class)
                .initialize();
    }

    private Weld weld() {
        return new Weld()
                .disableDiscovery()
                .addBeanClasses(RecordedCommits.beans())
                .addBeanClasses(Backend.class, Faulty.class)
                .addExtension(commits)
                .addServices(new NarayanaTransactionServices())
                .property(Weld.SHUTDOWN_HOOK_SYSTEM_PROPERTY, false);
    }

    @AfterEach
    void stop() throws Exception {
        if (Transactions.user().getStatus() != Status.STATUS_NO_TRANSACTION) {
            Transactions.user().rollback();
        }
        if (beans != null) {
            beans.shutdown();
        }
    }

    private Backend backend() {
        if (beans == null) {
            throw new IllegalStateException("not started");
        }
        return beans.select(Backend.class).get();
    }

    private static EntriesStored entries(String session) {
        StreamKey stream = StreamKey.session(session);
        return new EntriesStored(
                stream, List.of(new StoredEntry(stream, 1, 1, "e", EntryKind.EVENT, Payload.of("{}"), null, 0)));
    }

    private static SessionChanged session(SessionStatus status) {
        return new SessionChanged(SessionInfo.idle("s", "u", "a", null, 1).withStatus(status, 2), 1, false);
    }

    @Test
    void commit_manyEvents_oneHandOverInTheOrderTheyWereFired() throws Exception {
        UserTransaction transaction = Transactions.user();
        transaction.begin();
        backend().fire(ENTRIES, STREAMING, GRANT, SIGNAL, HINT);
        assertEquals(List.of(), commits.all(), "before the commit");
        transaction.commit();
        assertEquals(List.of(List.of(ENTRIES, STREAMING, GRANT, SIGNAL, HINT)), commits.all());
    }

    /** Entries first: what comes with them tells of what they brought about. */
    @Test
    void commit_entriesFiredLast_comeFirst() throws Exception {
        UserTransaction transaction = Transactions.user();
        transaction.begin();
        backend().fire(HINT, STREAMING, ENTRIES, GRANT, OTHER_ENTRIES);
        transaction.commit();
        assertEquals(List.of(List.of(ENTRIES, OTHER_ENTRIES, HINT, STREAMING, GRANT)), commits.all());
    }

    /** But a session's failure is shown before the error that explains it. */
    @Test
    void commit_sessionFailed_failureComesBeforeTheEntries() throws Exception {
        UserTransaction transaction = Transactions.user();
        transaction.begin();
        backend().fire(HINT, ENTRIES, FAILED);
        transaction.commit();
        assertEquals(List.of(List.of(FAILED, ENTRIES, HINT)), commits.all());
    }

    @Test
    void commit_oneAfterTheOther_eachIsHandedOverAlone() throws Exception {
        UserTransaction transaction = Transactions.user();
        for (int i = 0; i < 3; i++) {
            transaction.begin();
            backend().fire(GRANT);
            transaction.commit();
        }
        assertEquals(List.of(List.of(GRANT), List.of(GRANT), List.of(GRANT)), commits.all());
    }

    @Test
    void rollback_nothingIsShown() throws Exception {
        UserTransaction transaction = Transactions.user();
        transaction.begin();
        backend().fire(ENTRIES, STREAMING, GRANT, SIGNAL, HINT);
        transaction.rollback();
        assertEquals(List.of(), commits.all());
    }

    @Test
    void commit_markedForRollbackMeanwhile_nothingIsShown() throws Exception {
        UserTransaction transaction = Transactions.user();
        transaction.begin();
        backend().fire(ENTRIES);
        transaction.setRollbackOnly();
        backend().fire(STREAMING);
        assertThrows(jakarta.transaction.RollbackException.class, transaction::commit);
        assertEquals(List.of(), commits.all());
    }

    /** What is to be stored has been said by then, and the database says no: a hint before its word would show a ghost. */
    @Test
    void commit_refusedByTheDatabase_nothingIsShown() throws Exception {
        UserTransaction transaction = Transactions.user();
        transaction.begin();
        Transactions.manager().getTransaction().enlistResource(refusing());
        backend().fire(ENTRIES, STREAMING);
        assertThrows(jakarta.transaction.RollbackException.class, transaction::commit);
        assertEquals(List.of(), commits.all());
    }

    /** A database that rolls back when it is told to commit. */
    private static XAResource refusing() {
        return (XAResource) Proxy.newProxyInstance(
                XAResource.class.getClassLoader(), new Class<?>[] {XAResource.class}, (self, method, arguments) -> {
                    switch (method.getName()) {
                        case "prepare", "commit":
                            throw new XAException(XAException.XA_RBROLLBACK);
                        case "isSameRM", "setTransactionTimeout":
                            return false;
                        case "getTransactionTimeout":
                            return 0;
                        case "hashCode":
                            return 1;
                        case "equals":
                            return self == arguments[0];
                        case "toString":
                            return "a database that refuses";
                        default:
                            return null;
                    }
                });
    }

    /** A container that knows transactions but not their scope must not show what may still roll back. */
    @Test
    void containerWithoutTheTransactionScope_showsOnlyWhatCommitted() throws Exception {
        stop();
        beans = weld().initialize();
        UserTransaction transaction = Transactions.user();
        transaction.begin();
        backend().fire(ENTRIES);
        transaction.rollback();
        assertEquals(List.of(), commits.all());
        transaction.begin();
        backend().fire(STREAMING);
        assertEquals(List.of(), commits.all(), "before the commit");
        transaction.commit();
        assertEquals(List.of(List.of(STREAMING)), commits.all());
    }

    @Test
    void fire_withoutATransaction_isShownAtOnce() {
        backend().fire(SIGNAL, HINT);
        assertEquals(List.of(List.of(SIGNAL), List.of(HINT)), commits.all());
    }

    @Test
    void requiresNew_withinOneThatRollsBack_innerAloneIsShown() throws Exception {
        UserTransaction transaction = Transactions.user();
        transaction.begin();
        backend().fire(STREAMING);
        backend().fireInOneOfItsOwn(ENTRIES);
        assertEquals(List.of(List.of(ENTRIES)), commits.all(), "at its own commit");
        backend().fire(HINT);
        transaction.rollback();
        assertEquals(List.of(List.of(ENTRIES)), commits.all());
    }

    @Test
    void requiresNew_withinOneThatCommits_eachIsHandedOverWithItsOwn() throws Exception {
        UserTransaction transaction = Transactions.user();
        transaction.begin();
        backend().fire(STREAMING);
        backend().fireInOneOfItsOwn(ENTRIES);
        backend().fire(HINT);
        transaction.commit();
        assertEquals(List.of(List.of(ENTRIES), List.of(STREAMING, HINT)), commits.all());
    }

    @Test
    void handOver_throws_commitIsACommit() throws Exception {
        commits.then(events -> {
            throw new IllegalStateException("as the test wants");
        });
        UserTransaction transaction = Transactions.user();
        transaction.begin();
        backend().fire(ENTRIES);
        assertDoesNotThrow(transaction::commit);
        assertEquals(Status.STATUS_NO_TRANSACTION, transaction.getStatus());
        assertDoesNotThrow(() -> backend().fireInOneOfItsOwn(STREAMING));
        assertEquals(List.of(List.of(ENTRIES), List.of(STREAMING)), commits.all());
    }

    @Test
    void anotherListener_throws_eventsAreStillHandedOver() throws Exception {
        SignerRevoked revoked = new SignerRevoked("u", "s");
        UserTransaction transaction = Transactions.user();
        transaction.begin();
        backend().fire(ENTRIES, revoked, HINT);
        assertDoesNotThrow(transaction::commit);
        assertEquals(List.of(List.of(ENTRIES, revoked, HINT)), commits.all());
    }
}
