package dev.tidings.protocol.agents;

import dev.tidings.envelope.Capability;
import dev.tidings.envelope.CapabilityStore;
import dev.tidings.envelope.CapabilityVerifier;
import dev.tidings.envelope.CborValue;
import dev.tidings.envelope.Refusal;
import java.util.concurrent.CompletionStage;

/**
 * {@code RegisterSigner {capability} → {accountId, signerId}}: the delegate shows what an account issued to it, signed by
 * itself for its own account; from then on it may sign for the account that issued it. Again: the same answer.
 *
 * <p>Source: protocols A2, authorised signers.
 */
record RegisterSigner(CapabilityVerifier verifier, CapabilityStore store) implements ActionHandler {
    @Override
    public String name() {
        return "RegisterSigner";
    }

    @Override
    public CompletionStage<ActionReply> handle(ActionCall call) {
        CborValue blob = call.action().member("capability").orElse(null);
        Capability capability = verifier.verify(blob, call.signerPrincipal()).fold(accepted -> accepted, refusal -> {
            throw refused(refusal);
        });
        if (!store.store(capability)) {
            throw new ActionRefusal(ActionCode.CAPABILITY_REVOKED, "Capability was revoked");
        }
        return ActionReply.of(
                        "accountId",
                        CborValue.text(capability.issuer().text()),
                        "signerId",
                        CborValue.text(capability.delegate().text()))
                .now();
    }

    private static ActionRefusal refused(Refusal refusal) {
        return new ActionRefusal(400, refusal.code().text(), refusal.message());
    }
}
