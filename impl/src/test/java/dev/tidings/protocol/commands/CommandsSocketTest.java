package dev.tidings.protocol.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.ApiKey;
import dev.tidings.ApiKeyScope;
import dev.tidings.Approval;
import dev.tidings.EntryKind;
import dev.tidings.Payload;
import dev.tidings.Role;
import dev.tidings.RunInfo;
import dev.tidings.RunStatus;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.protocol.commands.CommandsWorld.Peer;
import dev.tidings.protocol.http.Auth;
import dev.tidings.runs.ApprovalResult;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Protocols C, from the container's callbacks to what a peer gets. */
class CommandsSocketTest {
    private static final Caller ANYBODY = new Caller.Anybody();

    private final CommandsWorld open = new CommandsWorld(Auth.NONE, Turns.QUEUE);
    private final CommandsWorld byKey = new CommandsWorld(Auth.API_KEY, Turns.QUEUE);

    @Test
    void open_cursor_eventsBehindItThenLive() {
        open.store("1");
        open.store("2");
        Peer all = open.open(ANYBODY, CommandsWorld.SESSION, 0);
        Peer rest = open.open(ANYBODY, CommandsWorld.SESSION, 1);
        Peer beyond = open.open(ANYBODY, CommandsWorld.SESSION, 99);
        open.store("3");
        open.run();
        assertEquals(List.of(1, 2, 3), all.cursors());
        assertEquals(List.of(2, 3), rest.cursors());
        assertEquals(List.of(3), beyond.cursors());
    }

    @Test
    void open_notAllowed_isClosedBeforeAnyFrame() {
        open.store("1");
        byKey.store("1");
        ApiKey revoked = byKey.newKey(new ApiKeyScope.All());
        byKey.tidings.transactions().run(() -> byKey.tidings.apiKeysWriter().revoke(revoked.id()));
        Peer nobody = byKey.new Peer(Optional.empty(), CommandsWorld.SESSION, 0);
        byKey.run();
        assertClosed(4401, nobody);
        assertClosed(4401, byKey.open(new Caller.ByKey(revoked), CommandsWorld.SESSION, 0));
        assertClosed(4404, open.open(ANYBODY, "none", 0));
        assertClosed(4404, open.open(ANYBODY, "other", 0));
        assertClosed(
                4404,
                byKey.open(
                        new Caller.ByKey(byKey.newKey(new ApiKeyScope.OfSession("other"))), CommandsWorld.SESSION, 0));
        assertClosed(
                4404,
                byKey.open(new Caller.ByKey(byKey.newKey(new ApiKeyScope.OfAgent("b"))), CommandsWorld.SESSION, 0));
        assertEquals(0, open.face.openSockets());
        assertEquals(0, byKey.face.openSockets());
    }

    /** Whatever is thrown on the way: a socket that nobody goes on with would stay open and silent for ever. */
    @Test
    void open_memoryIsShortForAMoment_isToldToComeBack() {
        ApiKey key = byKey.newKey(new ApiKeyScope.All());
        byKey.memoryShort = true;
        Peer peer = byKey.new Peer(Optional.of(new Caller.ByKey(key)), CommandsWorld.SESSION, 0);
        assertThrows(OutOfMemoryError.class, byKey::run);
        byKey.run();
        assertClosed(4004, peer);
        assertEquals(0, byKey.face.openSockets());
    }

    private static void assertClosed(int code, Peer peer) {
        assertEquals(List.of(), peer.frames);
        assertEquals(List.of(code), peer.closes);
    }

    @Test
    void open_scopes_seeWhatTheyInclude() {
        byKey.store("1");
        for (ApiKeyScope scope : List.of(
                new ApiKeyScope.All(),
                new ApiKeyScope.OfAgent(CommandsWorld.AGENT),
                new ApiKeyScope.OfSession(CommandsWorld.SESSION))) {
            assertEquals(
                    List.of(1),
                    byKey.open(new Caller.ByKey(byKey.newKey(scope)), CommandsWorld.SESSION, 0)
                            .cursors());
        }
    }

    /** Law 6: from the commit of the revocation on, nothing more goes out, entries committed earlier included. */
    @Test
    void revoked_openSocket_isSilentAtOnceAndClosed() {
        ApiKey key = byKey.newKey(new ApiKeyScope.All());
        Peer peer = byKey.open(new Caller.ByKey(key), CommandsWorld.SESSION, 0);
        Peer other = byKey.open(new Caller.ByKey(byKey.newKey(new ApiKeyScope.All())), CommandsWorld.SESSION, 0);
        byKey.store("1");
        byKey.tidings.transactions().run(() -> byKey.tidings.apiKeysWriter().revoke(key.id()));
        byKey.store("2");
        byKey.run();
        assertClosed(4401, peer);
        assertEquals(List.of(1, 2), other.cursors());
        peer.socket.received("{\"type\":\"cancel\"}");
        byKey.run();
        assertEquals(List.of(), byKey.runs.did);
    }

    /** Law 6: while nobody knows whether the key is valid, silence; then it goes on where it was. */
    @Test
    void recheck_keysUnknown_isSilentThenGoesOn() {
        Peer peer = byKey.open(new Caller.ByKey(byKey.newKey(new ApiKeyScope.All())), CommandsWorld.SESSION, 0);
        byKey.keysBroken = true;
        byKey.keys.recheck();
        byKey.store("1");
        byKey.run();
        assertEquals(List.of(), peer.frames);
        byKey.keysBroken = false;
        byKey.keys.recheck();
        byKey.run();
        assertEquals(List.of(1), peer.cursors());
    }

    @Test
    void deleted_sessionOrAgent_closesItsSockets() {
        Peer ofSession = open.open(ANYBODY, CommandsWorld.SESSION, 0);
        open.tidings.transactions().run(() -> open.tidings.directoryWriter().deleteSession(CommandsWorld.SESSION));
        open.run();
        assertClosed(4404, ofSession);
        Caller all = new Caller.ByKey(byKey.newKey(new ApiKeyScope.All()));
        Peer ofAgent = byKey.open(all, CommandsWorld.SESSION, 0);
        Peer ofAnother = byKey.open(all, "other", 0);
        byKey.tidings.transactions().run(() -> byKey.tidings.directoryWriter().deleteAgent(CommandsWorld.AGENT));
        byKey.run();
        assertClosed(4404, ofAgent);
        assertEquals(List.of(), ofAnother.closes);
    }

    /** Law 6: deleted by another node, which tells nobody here. */
    @Test
    void recheck_sessionDeletedElsewhere_closesItsSockets() {
        Peer empty = open.open(ANYBODY, CommandsWorld.SESSION, 0);
        open.face.recheck();
        open.run();
        assertEquals(List.of(), empty.closes, "a session without entries is a session");
        open.store("1");
        open.run();
        open.deaf = true;
        open.tidings.transactions().run(() -> open.tidings.directoryWriter().deleteSession(CommandsWorld.SESSION));
        open.run();
        assertEquals(List.of(), empty.closes);

        open.face.recheck();
        open.run();

        assertEquals(List.of(4404), empty.closes);
        assertEquals(0, open.face.openSockets());
        open.face.recheck();
    }

    /** Law 6: likewise a key that was revoked there. */
    @Test
    void recheck_keyRevokedElsewhere_closesItsSockets() {
        ApiKey key = byKey.newKey(new ApiKeyScope.All());
        Peer peer = byKey.open(new Caller.ByKey(key), CommandsWorld.SESSION, 0);
        Peer other = byKey.open(new Caller.ByKey(byKey.newKey(new ApiKeyScope.All())), CommandsWorld.SESSION, 0);
        byKey.deaf = true;
        byKey.tidings.transactions().run(() -> byKey.tidings.apiKeysWriter().revoke(key.id()));
        byKey.keys.recheck();
        byKey.run();
        assertClosed(4401, peer);
        assertEquals(List.of(), other.closes);
    }

    /** Whoever the container knows has the roles of its account. */
    @Test
    void container_roles_readAndWrite() {
        CommandsWorld world = new CommandsWorld(Auth.CONTAINER, Turns.QUEUE);
        world.tidings.transactions().run(() -> {
            world.tidings.grantsWriter().invite(CommandsWorld.AGENT, "reader", Role.READER, 1);
            world.tidings.grantsWriter().accept(CommandsWorld.AGENT, "reader", 1);
        });
        assertClosed(4404, world.open(new Caller.ByAccount("stranger"), CommandsWorld.SESSION, 0));
        Peer reader = world.open(new Caller.ByAccount("reader"), CommandsWorld.SESSION, 0);
        Peer owner = world.open(new Caller.ByAccount("owner"), CommandsWorld.SESSION, 0);
        reader.socket.received("{\"type\":\"cancel\"}");
        owner.socket.received("{\"type\":\"user_message\",\"content\":\"hi\"}");
        world.run();
        assertEquals(List.of("read_only"), reader.errors());
        assertEquals(List.of("message hi"), world.runs.did);
        world.tidings.transactions().run(() -> world.tidings.grantsWriter().remove(CommandsWorld.AGENT, "reader"));
        world.store("1");
        world.run();
        assertEquals(List.of(), reader.cursors());
        assertEquals(List.of(1), owner.cursors());
    }

    @Test
    void received_beforeTheAdmission_isDoneBehindIt() {
        Peer peer = open.new Peer(Optional.of(ANYBODY), CommandsWorld.SESSION, 0);
        peer.socket.received("{\"type\":\"user_message\",\"content\":\"early\"}");
        peer.socket.received("{\"type\":\"cancel\"}");
        assertEquals(List.of(), open.runs.did);
        open.run();
        assertEquals(List.of("message early", "stop"), open.runs.did);
        assertEquals(List.of("no_active_run"), peer.errors());
    }

    @Test
    void received_tooMuch_closes() {
        Peer large = open.open(ANYBODY, CommandsWorld.SESSION, 0);
        large.socket.received("x".repeat(CommandsSocket.MAX_MESSAGE + 1));
        open.run();
        assertEquals(List.of(1009), large.closes);
    }

    /** Law 4: as many may wait as is configured, and no more. */
    @Test
    void received_moreThanMayWait_closes() {
        Peer enough = open.new Peer(Optional.of(ANYBODY), CommandsWorld.SESSION, 0);
        Peer many = open.new Peer(Optional.of(ANYBODY), CommandsWorld.SESSION, 0);
        for (int i = 0; i < CommandsWorld.MAX_PENDING; i++) {
            enough.socket.received("{}");
            many.socket.received("{}");
        }
        many.socket.received("{}");
        open.run();
        assertEquals(List.of(), enough.closes);
        assertEquals(List.of(4004), many.closes);
    }

    /** Law 4: likewise in bytes, as they come on the wire; one message alone is always taken. */
    @Test
    void received_moreBytesThanMayWait_closes() {
        String half = "ä".repeat(CommandsWorld.MAX_PENDING_BYTES / 4);
        Peer enough = open.new Peer(Optional.of(ANYBODY), CommandsWorld.SESSION, 0);
        enough.socket.received(half);
        enough.socket.received(half);
        Peer many = open.new Peer(Optional.of(ANYBODY), CommandsWorld.SESSION, 0);
        many.socket.received(half);
        many.socket.received(half + "ä");
        Peer alone = open.new Peer(Optional.of(ANYBODY), CommandsWorld.SESSION, 0);
        alone.socket.received(half + half + "ä");
        open.run();
        assertEquals(List.of(), enough.closes);
        assertEquals(List.of(4004), many.closes);
        assertEquals(List.of(), alone.closes);
    }

    /** Law 5: a cancel whose end is not stored yet holds no thread; what the socket sent behind it waits its turn. */
    @Test
    void received_behindACancelThatWaits_isDoneBehindIt() {
        CommandsWorld world = new CommandsWorld(Auth.NONE, Turns.QUEUE);
        Peer peer = world.open(ANYBODY, CommandsWorld.SESSION, 0);
        world.runs.held = new CompletableFuture<>();
        peer.socket.received("{\"type\":\"cancel\"}");
        peer.socket.received("{\"type\":\"user_message\",\"content\":\"next\"}");
        world.run();
        assertEquals(List.of("stop"), world.runs.did);
        Peer other = world.open(ANYBODY, CommandsWorld.SESSION, 0);
        other.socket.received("{\"type\":\"user_message\",\"content\":\"other\"}");
        world.run();
        assertEquals(List.of("stop", "message other"), world.runs.did);

        world.runs.held.complete(true);
        world.run();
        assertEquals(List.of("stop", "message other", "message next"), world.runs.did);
        assertEquals(List.of(), peer.errors());
    }

    @Test
    void received_cancelThatTakesTooLong_isAnsweredAsUnknown() {
        CommandsWorld world = new CommandsWorld(Auth.NONE, Turns.INTERRUPT);
        Peer peer = world.open(ANYBODY, CommandsWorld.SESSION, 0);
        world.runs.held = CompletableFuture.failedFuture(new TimeoutException());
        peer.socket.received("{\"type\":\"cancel\"}");
        peer.socket.received("{\"type\":\"user_message\",\"content\":\"next\"}");
        world.run();
        assertEquals(List.of("unavailable", "unavailable"), peer.errors());
        assertEquals(List.of("stop", "stop"), world.runs.did);
    }

    @Test
    void received_binaryAndBroken_areAnswered() {
        Peer peer = open.open(ANYBODY, CommandsWorld.SESSION, 0);
        peer.socket.receivedBinary();
        peer.socket.received("");
        open.runs.broken = true;
        peer.socket.received("{\"type\":\"user_message\",\"content\":\"hi\"}");
        open.run();
        assertEquals(List.of("not_text", "invalid_json", "unavailable"), peer.errors());
        assertTrue(peer.closes.isEmpty());
        assertFalse(String.join(" ", peer.frames).contains(CommandsWorld.SECRET_OF_THE_PORT), "law 9");
    }

    /** Law 11: whoever repeats a decision gets the first one's event; another decision is refused. */
    @Test
    void received_approvalThatIsDecided_isAnsweredOnce() {
        Peer peer = open.open(ANYBODY, CommandsWorld.SESSION, 0);
        Approval decided =
                new Approval("approval", CommandsWorld.SESSION, "r", "call", "tool", Approval.Status.GRANTED, 1, 2, 1L);
        StoredEntry entry = new StoredEntry(
                StreamKey.session(CommandsWorld.SESSION),
                7,
                7,
                "decision",
                EntryKind.APPROVAL,
                Payload.of("{\"type\":\"approval_granted\",\"approvalId\":\"approval\"}"),
                "r",
                1);
        for (ApprovalResult result : List.of(
                new ApprovalResult.Decided(decided, "decision"),
                new ApprovalResult.Repeated(decided, entry),
                new ApprovalResult.Refused(decided),
                new ApprovalResult.Unknown())) {
            open.runs.decision = result;
            peer.socket.received("{\"type\":\"tool_approval\",\"approval_id\":\"approval\",\"decision\":\"grant\"}");
            open.run();
        }
        assertEquals(List.of(7), peer.cursors());
        assertEquals(List.of("approval_already_decided", "unknown_approval"), peer.errors());
    }

    /** Law 6: an agent that is deleted while the socket comes in: whoever told of it did not find the socket. */
    @Test
    void open_agentDeletedWhileItComesIn_isClosed() {
        open.behindARead = () -> open.tidings
                .transactions()
                .run(() -> open.tidings.directoryWriter().deleteAgent(CommandsWorld.AGENT));
        assertClosed(4404, open.open(ANYBODY, CommandsWorld.SESSION, 0));
    }

    @Test
    void turns_whileARunIsActive_rejectOrInterrupt() {
        for (Turns turns : List.of(Turns.REJECT, Turns.INTERRUPT)) {
            CommandsWorld world = new CommandsWorld(Auth.NONE, turns);
            Peer peer = world.open(ANYBODY, CommandsWorld.SESSION, 0);
            world.tidings
                    .transactions()
                    .run(() -> world.tidings.directoryWriter().create(active()));
            peer.socket.received("{\"type\":\"user_message\",\"content\":\"hi\"}");
            world.run();
            assertEquals(turns == Turns.REJECT ? List.of("run_active") : List.of(), peer.errors());
            assertEquals(turns == Turns.REJECT ? List.of() : List.of("stop", "message hi"), world.runs.did);
        }
    }

    private static RunInfo active() {
        return new RunInfo(
                "r",
                "owner",
                "r",
                RunInfo.Lineage.ROOT,
                "agent",
                CommandsWorld.AGENT,
                CommandsWorld.SESSION,
                "user",
                "t",
                RunStatus.RUNNING,
                null,
                null,
                1,
                null,
                null,
                1);
    }
}
