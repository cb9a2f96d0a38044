package dev.tidings.protocol.agents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.envelope.CborValue;
import dev.tidings.envelope.EnvelopeFixtures;
import dev.tidings.envelope.EnvelopeFixtures.Signer;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Protocols A2, A9: {@code RegisterSigner} from signed bytes to what the delegate may do then. */
class RegisterSignerTest {
    private static final Signer OWNER = Signer.number(1);
    private static final Signer DELEGATE = Signer.number(2);
    private static final Signer OTHER = Signer.number(3);

    private final HttpBench bench = new HttpBench();

    private HttpBench.Answer register(Signer signer, byte[] blob) {
        return bench.call(signer, "RegisterSigner", "capability", CborValue.bytes(blob));
    }

    private byte[] capability(String role) {
        return EnvelopeFixtures.capability(OWNER, DELEGATE.principal(), role, bench.now());
    }

    /** An action of the delegate for the owner's account. */
    private HttpBench.Answer listFor(Signer account, Signer signer) {
        return HttpBench.decoded(bench.http.message(EnvelopeFixtures.signed(
                signer, account.principal(), EnvelopeFixtures.action("ListAgents", bench.now(), Map.of()), Map.of())));
    }

    @Test
    void register_goodCapability_letsTheDelegateActForTheAccountAndNoOther() {
        assertEquals(401, listFor(OWNER, DELEGATE).status());
        HttpBench.Answer answer = register(DELEGATE, capability("AGENT"));
        assertEquals(200, answer.status());
        assertEquals("RegisterSignerResponse", answer.text("_"));
        assertEquals(OWNER.id(), answer.text("accountId"));
        assertEquals(DELEGATE.id(), answer.text("signerId"));
        assertEquals(200, listFor(OWNER, DELEGATE).status());
        assertEquals(401, listFor(DELEGATE, OWNER).status());
        assertEquals(401, listFor(OWNER, OTHER).status());
        assertEquals(200, register(DELEGATE, capability("WRITER")).status());
    }

    @Test
    void register_badCapabilities_areRefusedWith400AndTheirTexts() {
        register(OTHER, capability("AGENT"))
                .refuses(400, "capability_delegate_mismatch", "Capability delegate does not match envelope signer");
        register(DELEGATE, capability("READER"))
                .refuses(400, "capability_role", "Capability role does not permit agent actions");
        byte[] forged = capability("AGENT");
        forged[forged.length - 1] ^= 1;
        register(DELEGATE, forged).refuses(400, "invalid_capability_signature", "Invalid capability signature");
        register(OWNER, EnvelopeFixtures.capability(OWNER, OWNER.principal(), "AGENT", bench.now()))
                .refuses(400, "capability_self_delegation", "Capability delegates to its own issuer");
        register(DELEGATE, new byte[(64 << 10) + 1])
                .refuses(400, "capability_too_large", "Capability blob is too large");
        register(DELEGATE, new byte[] {1, 2}).refuses(400, "invalid_capability_cbor", "Capability is not valid CBOR");
        bench.call(DELEGATE, "RegisterSigner").refuses(400, "invalid_capability_bytes", "Invalid capability bytes");
        bench.call(DELEGATE, "RegisterSigner", "capability", "text")
                .refuses(400, "invalid_capability_bytes", "Invalid capability bytes");
        assertFalse(bench.tidings.signers().authorized(OWNER.id(), DELEGATE.id()));
    }

    /** A capability from before the revocation is no way back; a new one is. */
    @Test
    void register_afterARevocation_takesANewCapability() {
        byte[] old = capability("AGENT");
        assertEquals(200, register(DELEGATE, old).status());
        bench.pass(Duration.ofSeconds(10));
        bench.tidings
                .transactions()
                .run(() -> assertTrue(bench.tidings.signerWriter().revoke(OWNER.id(), DELEGATE.id(), bench.now())));
        assertEquals(401, listFor(OWNER, DELEGATE).status());
        register(DELEGATE, old).refuses(400, "capability_revoked", "Capability was revoked");
        HttpBench.decoded(bench.http.message(EnvelopeFixtures.signed(
                        DELEGATE,
                        OWNER.principal(),
                        EnvelopeFixtures.action("ListAgents", bench.now(), Map.of()),
                        EnvelopeFixtures.carrying(old))))
                .refuses(401, "signer_not_authorized", "Signer is not authorized for account");
        bench.pass(Duration.ofSeconds(10));
        assertEquals(200, register(DELEGATE, capability("AGENT")).status());
        assertEquals(200, listFor(OWNER, DELEGATE).status());
    }

    /** One action both shows the capability and uses it. */
    @Test
    void action_carriesACapability_isDoneAndStored() {
        HttpBench.Answer answer = HttpBench.decoded(bench.http.message(EnvelopeFixtures.signed(
                DELEGATE,
                OWNER.principal(),
                EnvelopeFixtures.action("ListAgents", bench.now(), Map.of()),
                EnvelopeFixtures.carrying(capability("AGENT")))));
        assertEquals(200, answer.status());
        assertTrue(bench.tidings.signers().authorized(OWNER.id(), DELEGATE.id()));
    }

    /** Both edges of the clock window, over HTTP, and what helps the client to correct its clock. */
    @Test
    void clock_edges_areInsideAndOneMillisecondMoreIsToldTheSkew() {
        for (int sign : new int[] {-1, 1}) {
            long edge = sign * Duration.ofMinutes(5).toMillis();
            assertEquals(200, at(edge).status());
            assertEquals(200, at(edge - sign).status());
            HttpBench.Answer refused = at(edge + sign);
            refused.refuses(401, "clock_window", "Action timestamp is outside allowed window");
            assertEquals(bench.now(), refused.number("serverTime"));
            assertEquals(-(edge + sign), refused.number("skewMs"));
        }
    }

    private HttpBench.Answer at(long skew) {
        return HttpBench.decoded(bench.http.message(
                EnvelopeFixtures.signed(OWNER, EnvelopeFixtures.action("ListAgents", bench.now() + skew, Map.of()))));
    }
}
