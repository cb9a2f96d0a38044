package dev.tidings.wiring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.AgentInfo;
import dev.tidings.ApiKey;
import dev.tidings.ApiKeyScope;
import dev.tidings.ApiKeySecret;
import dev.tidings.EntryKind;
import dev.tidings.Payload;
import dev.tidings.SessionInfo;
import dev.tidings.SessionStatus;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.access.Access;
import dev.tidings.access.KeyAccess;
import dev.tidings.access.KeyPass;
import dev.tidings.delivery.Gate;
import dev.tidings.event.AgentDeleted;
import dev.tidings.event.ApiKeyRevoked;
import dev.tidings.event.EntriesStored;
import dev.tidings.event.GrantChanged;
import dev.tidings.event.SessionChanged;
import dev.tidings.event.SessionDeleted;
import dev.tidings.event.SignerRevoked;
import dev.tidings.testkit.InMemoryTidings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CommitsTest {
    private static final EntriesStored STORED = new EntriesStored(
            StreamKey.session("s"),
            List.of(new StoredEntry(StreamKey.session("s"), 1, 1, "e1", EntryKind.EVENT, Payload.of("{}"), null, 1)));

    private final List<Runnable> tasks = new ArrayList<>();
    private final List<Object> shown = new ArrayList<>();
    private final InMemoryTidings tidings = new InMemoryTidings();
    private final Access access = new Access(tidings.grants(), tidings.signers());
    private final KeyAccess keys = new KeyAccess(tidings.apiKeys(), Optional.empty());
    private final List<Object> ended = new ArrayList<>();
    private final Commits commits =
            new Commits(access, Optional.of(keys), ended::add, new Dispatcher(tasks::add, shown::add, 1 << 20));

    /** Law 6: the thread that commits a revocation takes the access away, whatever else waits. */
    @Test
    void committed_revocation_gateIsShutBeforeAnythingRuns() {
        tidings.transactions()
                .run(() -> tidings.directoryWriter()
                        .create(new AgentInfo(
                                "agent", "owner", Payload.of("{}"), null, AgentInfo.AgentStatus.IDLE, 1, 1, false)));
        Gate gate = access.gate("agent", "owner");
        assertTrue(gate.isOpen());
        commits.committed(List.of(STORED, new GrantChanged("agent", "owner", null)));
        assertFalse(gate.isOpen());
        assertEquals(List.of(), shown);
    }

    /** Law 6: it is flipped before anything is enqueued, since whoever takes that may be quicker than this thread. */
    @Test
    void committed_revocation_gateIsShutBeforeAnythingIsEnqueued() {
        tidings.transactions()
                .run(() -> tidings.directoryWriter()
                        .create(new AgentInfo(
                                "agent", "owner", Payload.of("{}"), null, AgentInfo.AgentStatus.IDLE, 1, 1, false)));
        Gate gate = access.gate("agent", "owner");
        List<Boolean> openThen = new ArrayList<>();
        Commits eager = new Commits(
                access,
                Optional.of(keys),
                ended::add,
                new Dispatcher(Runnable::run, event -> openThen.add(gate.isOpen()), 1 << 20));
        eager.committed(List.of(STORED, new GrantChanged("agent", "owner", null)));
        assertEquals(List.of(false, false), openThen);
    }

    /** Law 6, for API keys. */
    @Test
    void committed_keyRevoked_passEndsBeforeAnythingRuns() {
        ApiKeySecret secret = ApiKeySecret.random();
        ApiKey key = new ApiKey(secret.id(), "label", new ApiKeyScope.All(), 1);
        tidings.transactions().run(() -> tidings.apiKeysWriter().create(key, secret.sha256()));
        KeyPass pass = keys.enter(key).orElseThrow();
        assertTrue(pass.gate().isOpen());
        commits.committed(List.of(STORED, new ApiKeyRevoked(key.id())));
        assertFalse(pass.gate().isOpen());
        assertTrue(pass.ended());
        assertEquals(List.of(), shown);
    }

    /** Law 6: the same for a signer, on whatever was made through it. */
    @Test
    void committed_signerRevoked_gateIsShutBeforeAnythingRuns() {
        tidings.authorize("owner", "signer");
        Gate gate = access.signerGate("owner", "signer");
        assertTrue(gate.isOpen());
        commits.committed(List.of(STORED, new SignerRevoked("owner", "signer")));
        assertFalse(gate.isOpen());
        assertEquals(List.of(), shown);
    }

    /** Law 13: a commit only enqueues. */
    @Test
    void committed_entries_areShownByTheExecutorAlone() {
        commits.committed(List.of(STORED));
        assertEquals(List.of(), shown);
        assertEquals(1, tasks.size());
        tasks.remove(0).run();
        assertEquals(List.of(STORED), shown);
    }

    /** What was deleted is shown no more when the commit returns. */
    @Test
    void committed_deletion_endsWhatShowsItBeforeAnythingRuns() {
        SessionDeleted session = new SessionDeleted("s", "agent", Set.of());
        AgentDeleted agent = new AgentDeleted("agent", Set.of(), Set.of());
        commits.committed(List.of(session, STORED, agent));
        assertEquals(List.of(session, agent), ended);
        assertEquals(List.of(), shown);
    }

    /** Protocols A6: what a change brought about comes before it, but a failure is promised before its error. */
    @Test
    void inOrder_entriesBetweenChanges_onlyFailuresComeBefore() {
        SessionInfo session = SessionInfo.idle("s", "owner", "agent", null, 1);
        SessionChanged idle = new SessionChanged(session, 2, false);
        SessionChanged failed = new SessionChanged(session.withStatus(SessionStatus.ERROR, 2), 3, false);
        GrantChanged grant = new GrantChanged("agent", "owner", null);
        assertEquals(
                List.of(failed, STORED, idle, grant), CommitObserver.inOrder(List.of(idle, grant, STORED, failed)));
    }
}
