package dev.tidings.protocol.agents;

import static dev.tidings.protocol.agents.AgentsWorld.AGENT;
import static dev.tidings.protocol.agents.AgentsWorld.OWNER;
import static dev.tidings.protocol.agents.AgentsWorld.READER;
import static dev.tidings.protocol.agents.AgentsWorld.SESSION_KEY;
import static dev.tidings.protocol.agents.AgentsWorld.STRANGER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.RunStatus;
import dev.tidings.SignerRole;
import dev.tidings.envelope.EnvelopeFixtures;
import dev.tidings.envelope.EnvelopeFixtures.Signer;
import dev.tidings.event.AccountHint;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Law 6 on open sockets: public readers when public read is switched off, and delegates whose signer is revoked. */
class AccessOnSocketsTest {
    private static final Signer DELEGATE = Signer.number(9);
    private static final String ACCOUNT_KEY = "account/" + OWNER.id();
    private static final Pattern CONTENT = Pattern.compile("\"content\":\"(\\w+)\"");

    private final AgentsWorld world = new AgentsWorld().furnished();

    private static List<String> contents(List<String> frames) {
        List<String> contents = new ArrayList<>();
        for (String frame : frames) {
            contents.addAll(
                    CONTENT.matcher(frame).results().map(MatchResult::group).toList());
        }
        return contents.stream().map(text -> text.replaceAll(".*:\"|\"$", "")).toList();
    }

    private static Optional<String> code(List<String> frames) {
        return frames.stream().filter(frame -> frame.contains("\"code\"")).findFirst();
    }

    // ---- public read

    @Test
    void publicRead_switched_strangerReadsOnlyWhileItIsOn() {
        AgentsWorld.Peer stranger = world.connect();
        assertTrue(code(stranger.subscribe(STRANGER, SESSION_KEY)).orElseThrow().contains("session_not_found"));
        world.publicRead(AGENT, true);
        world.hand.runAll();
        stranger.subscribe(STRANGER, SESSION_KEY);
        world.say("one");
        assertEquals(List.of("one"), contents(stranger.take()));
        world.publicRead(AGENT, false);
        world.hand.runAll();
        world.say("two");
        assertEquals(List.of(), stranger.take());
        // Suspended, not gone: on again, it goes on from its cursor.
        world.publicRead(AGENT, true);
        world.hand.runAll();
        assertEquals(List.of("two"), contents(stranger.take()));
    }

    /** What had committed before and waits for a slow socket is not sent any more; only the send in flight ends. */
    @Test
    void publicRead_switchedOffWhileFramesWait_dropsThemForThePublicAndForNobodyElse() {
        world.publicRead(AGENT, true);
        world.hand.runAll();
        List<Signer> signers = List.of(OWNER, READER, STRANGER);
        List<AgentsWorld.Peer> peers = signers.stream()
                .map(signer -> {
                    AgentsWorld.Peer peer = world.connect();
                    peer.subscribe(signer, SESSION_KEY);
                    peer.sink.stall();
                    return peer;
                })
                .toList();
        world.say("flying");
        peers.forEach(peer -> assertEquals(List.of("flying"), contents(peer.take())));
        world.say("waiting");
        world.publicRead(AGENT, false);
        world.commit("after");
        peers.forEach(peer -> peer.sink.drain());
        world.hand.runAll();
        assertEquals(List.of("waiting", "after"), contents(peers.get(0).take()));
        assertEquals(List.of("waiting", "after"), contents(peers.get(1).take()));
        assertEquals(List.of(), peers.get(2).take());
    }

    /** A notice to an account is not stored: it must not meet a gate that is closed for a moment. */
    @Test
    void publicRead_switchedWhileNoticesWait_membersLoseNone() {
        world.run("run-1", "run-1", AGENT, null);
        world.publicRead(AGENT, true);
        world.hand.runAll();
        AgentsWorld.Peer owner = world.connect();
        owner.subscribe(OWNER, ACCOUNT_KEY);
        AgentsWorld.Peer reader = world.connect();
        reader.subscribe(READER, "account/" + READER.id());
        owner.sink.stall();
        reader.sink.stall();
        world.fire(AccountHint.toMembers("flying", AGENT, null));
        owner.take();
        reader.take();
        world.runStatus("run-1", RunStatus.CLAIMED);
        // The switch, as the committing thread does it, and the sockets that drain before anybody looks again.
        world.access.changed(dev.tidings.event.GrantChanged.publicRead(AGENT, false));
        owner.sink.drain();
        reader.sink.drain();
        world.hand.runAll();
        assertTrue(owner.take().stream().anyMatch(frame -> frame.contains("\"claimed\"")));
        assertTrue(reader.take().stream().anyMatch(frame -> frame.contains("\"claimed\"")));
    }

    @Test
    void publicRead_switchedByForeignSql_strangerIsSilentAfterTheNextRecheck() {
        world.publicRead(AGENT, true);
        world.hand.runAll();
        AgentsWorld.Peer stranger = world.connect();
        stranger.subscribe(STRANGER, SESSION_KEY);
        world.untold = true;
        world.publicRead(AGENT, false);
        world.untold = false;
        world.access.recheck();
        world.say("one");
        assertEquals(List.of(), stranger.take());
    }

    // ---- signers

    private AgentsWorld.Peer delegate(String... keys) {
        world.tidings.authorize(OWNER.id(), DELEGATE.id());
        AgentsWorld.Peer peer = world.connect();
        for (String key : keys) {
            List<String> answer = peer.subscribeFor(OWNER, DELEGATE, key);
            assertEquals(Optional.empty(), code(answer), key);
        }
        return peer;
    }

    @Test
    void revoked_signer_socketFallsSilentOnSessionAndAccount() {
        AgentsWorld.Peer peer = delegate(SESSION_KEY, ACCOUNT_KEY);
        AgentsWorld.Peer own = world.connect();
        own.subscribe(OWNER, SESSION_KEY);
        own.subscribe(OWNER, ACCOUNT_KEY);
        world.say("one");
        assertEquals(List.of("one"), contents(peer.take()));
        own.take();
        world.tidings.revoke(OWNER.id(), DELEGATE.id());
        world.say("two");
        world.fire(AccountHint.toMembers("news", AGENT, null));
        assertEquals(List.of(), peer.take());
        List<String> whole = own.take();
        assertEquals(List.of("two"), contents(whole));
        assertTrue(whole.stream().anyMatch(frame -> frame.contains("\"news\"")));
    }

    /** Entries that committed before the revocation and wait in an outbox are not sent. */
    @Test
    void revoked_framesWait_areDroppedAndOnlyTheSendInFlightEnds() {
        AgentsWorld.Peer peer = delegate(SESSION_KEY, ACCOUNT_KEY);
        peer.sink.stall();
        world.say("flying");
        assertEquals(List.of("flying"), contents(peer.take()));
        world.say("waiting");
        world.fire(AccountHint.toMembers("news", AGENT, null));
        world.tidings.revoke(OWNER.id(), DELEGATE.id());
        peer.sink.drain();
        world.hand.runAll();
        assertEquals(List.of(), peer.take());
    }

    @Test
    void authorizedAgain_subscriptions_goOnFromTheirCursors() {
        AgentsWorld.Peer peer = delegate(SESSION_KEY, ACCOUNT_KEY);
        world.say("one");
        peer.take();
        world.tidings.revoke(OWNER.id(), DELEGATE.id());
        world.say("two", "three");
        world.tidings
                .transactions()
                .run(() ->
                        world.tidings.signerWriter().authorize(OWNER.id(), DELEGATE.id(), SignerRole.AGENT, world.now));
        world.access.recheck();
        world.hand.runAll();
        assertEquals(List.of("two", "three"), contents(peer.take()));
        world.say("four");
        assertEquals(List.of("four"), contents(peer.take()));
    }

    @Test
    void revoked_newSubscribe_isRefusedLikeASignerThatNeverWas() {
        AgentsWorld.Peer peer = delegate(SESSION_KEY);
        world.tidings.revoke(OWNER.id(), DELEGATE.id());
        String error = code(peer.subscribeFor(OWNER, DELEGATE, SESSION_KEY)).orElseThrow();
        assertTrue(error.contains("Signer is not authorized for account"), error);
    }

    /** The policy for captured bytes: a Subscribe changes nothing, so it is good twice while its window is open. */
    @Test
    void subscribe_sameBytesOnASecondSocket_areAcceptedWhileTheWindowIsOpen() {
        byte[] captured = world.connect().signed(OWNER, SESSION_KEY);
        assertEquals(Optional.empty(), code(world.connect().send(captured)));
        assertEquals(Optional.empty(), code(world.connect().send(captured)));
        world.now += 300_001;
        String error = code(world.connect().send(captured)).orElseThrow();
        assertTrue(error.contains("\"serverTime\":" + world.now) && error.contains("\"skewMs\":300001"), error);
    }

    /** A delegate that brings its capability along is bound to the account, and can be revoked like any other. */
    @Test
    void capabilityInEnvelope_socket_isServedUntilTheRevocation() {
        AgentsWorld.Peer peer = world.connect();
        byte[] capability =
                EnvelopeFixtures.capability(OWNER, DELEGATE.principal(), "AGENT", world.now - 1_000_000_000_000L);
        byte[] subscribe = EnvelopeFixtures.signed(
                DELEGATE,
                OWNER.principal(),
                EnvelopeFixtures.subscribe(SESSION_KEY, world.now),
                EnvelopeFixtures.carrying(capability));
        assertEquals(Optional.empty(), code(peer.send(subscribe)));
        world.say("one");
        assertEquals(List.of("one"), contents(peer.take()));
        world.tidings.revoke(OWNER.id(), DELEGATE.id());
        world.say("two");
        assertEquals(List.of(), peer.take());
        assertTrue(code(peer.send(subscribe)).orElseThrow().contains("signer_not_authorized"));
        world.say("three");
        assertEquals(List.of(), peer.take());
    }

    @Test
    void revokedByForeignSql_delegate_isSilentAfterTheNextRecheck() {
        AgentsWorld.Peer peer = delegate(SESSION_KEY, ACCOUNT_KEY);
        peer.take();
        world.untold = true;
        world.tidings.revoke(OWNER.id(), DELEGATE.id());
        world.untold = false;
        world.access.recheck();
        world.say("one");
        world.fire(AccountHint.toMembers("news", AGENT, null));
        assertEquals(List.of(), peer.take());
    }
}
