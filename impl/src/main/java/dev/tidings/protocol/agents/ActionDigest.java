package dev.tidings.protocol.agents;

import dev.tidings.envelope.CborValue;
import dev.tidings.envelope.DagCbor;
import dev.tidings.envelope.VerifiedEnvelope;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The SHA-256 digests by which an action is known again, as 43 characters that a database takes as they are. */
final class ActionDigest {

    private ActionDigest() {}

    /** Of the signature: the same one is the same envelope. */
    static String ofSignature(VerifiedEnvelope envelope) {
        return sha256(envelope.signature().bytes().toByteArray());
    }

    /** Of the name that a client gave to an action. Encoded as a list, so that no two names run into each other. */
    static String ofClientKey(String account, String action, String clientKey) {
        return sha256(DagCbor.encode(
                CborValue.list(List.of(CborValue.text(account), CborValue.text(action), CborValue.text(clientKey)))));
    }

    /** Of everything that an action says, but for the time at which it was signed. */
    static String ofAction(VerifiedEnvelope envelope) {
        Map<String, CborValue> members = new LinkedHashMap<>(envelope.action().members());
        members.remove("ts");
        return sha256(DagCbor.encode(CborValue.map(members)));
    }

    private static String sha256(byte[] content) {
        try {
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }
}
