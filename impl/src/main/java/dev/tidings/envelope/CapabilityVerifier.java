package dev.tidings.envelope;

import dev.tidings.envelope.CborValue.BytesValue;
import dev.tidings.envelope.CborValue.FloatValue;
import dev.tidings.envelope.CborValue.IntegerValue;
import dev.tidings.envelope.CborValue.MapValue;
import dev.tidings.envelope.CborValue.TextValue;
import dev.tidings.envelope.Checked.Accepted;
import dev.tidings.envelope.Checked.Refused;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The checks of a capability: a blob {@code {type: 'Capability', signer, sig, ts, delegate, role, …}} signed like an
 * envelope, over its own bytes with the signature zeroed.
 *
 * <p>Cheap checks come first, at most one signature is verified, nothing is asked of a database. Unknown members are signed
 * and otherwise ignored.
 *
 * <p>Threads: safe for use by many threads. Order: the first check of the protocol's list that fails is the refusal.
 */
public final class CapabilityVerifier {
    /** The largest blob that is looked at, in bytes. */
    public static final int MAX_BYTES = 64 << 10;

    private static final String TYPE = "Capability";
    private static final Set<String> ROLES = Set.of("AGENT", "WRITER");
    /** Repeated in a refusal, so it has an end; a CID has about 60 characters. */
    private static final Pattern CID = Pattern.compile("[a-z0-9]{10,200}");

    private final int maxDepth;

    public CapabilityVerifier(EnvelopeLimits limits) {
        this.maxDepth = limits.maxDepth();
    }

    /**
     * Verifies a capability that its delegate shows; never throws.
     *
     * @param blob the member that should be the blob's bytes; null if there is none
     * @param delegate who shows it
     */
    public Checked<Capability> verify(@Nullable CborValue blob, Principal delegate) {
        if (!(blob instanceof BytesValue bytes)) {
            return refused(RefusalCode.INVALID_CAPABILITY_BYTES);
        }
        return verify(bytes.value(), delegate);
    }

    /** The capability that an envelope carries for its account and its signer. */
    Checked<Capability> carried(SignedEnvelope envelope) {
        Map<String, CborValue> members = envelope.members();
        if (!(members.get("capability") instanceof TextValue text)
                || !CID.matcher(text.value()).matches()) {
            return refused(RefusalCode.INVALID_CAPABILITY_CID);
        }
        CborValue blob = members.get("capabilityBlob");
        if (blob == null) {
            return new Refused<>(Refusal.capabilityNotAvailable(text.value()));
        }
        if (!(blob instanceof BytesValue bytes)) {
            return refused(RefusalCode.INVALID_CAPABILITY_BYTES);
        }
        if (bytes.value().size() > MAX_BYTES) {
            return refused(RefusalCode.CAPABILITY_TOO_LARGE);
        }
        if (!Cid.ofDagCbor(bytes.value()).text().equals(text.value())) {
            return refused(RefusalCode.CAPABILITY_CID_MISMATCH);
        }
        return verify(bytes.value(), envelope.unverifiedSigner())
                .then(capability -> capability.issuer().equals(envelope.unverifiedAccount())
                        ? new Accepted<>(capability)
                        : refused(RefusalCode.CAPABILITY_ISSUER_MISMATCH));
    }

    private Checked<Capability> verify(Bytes blob, Principal delegate) {
        if (blob.size() > MAX_BYTES) {
            return refused(RefusalCode.CAPABILITY_TOO_LARGE);
        }
        return CanonicalCheck.check(blob.shared(), maxDepth)
                .fold(checked -> verify(checked, delegate), fault -> refused(RefusalCode.INVALID_CAPABILITY_CBOR));
    }

    private static Checked<Capability> verify(CheckedBytes blob, Principal shownBy) {
        if (!(CborReader.value(blob.content(), 0) instanceof MapValue capability)
                || !capability.text("type").filter(TYPE::equals).isPresent()) {
            return refused(RefusalCode.NOT_A_CAPABILITY);
        }
        Principal issuer = principalOrNull(capability, "signer");
        if (issuer == null) {
            return refused(RefusalCode.INVALID_CAPABILITY_SIGNER);
        }
        Principal delegate = principalOrNull(capability, "delegate");
        if (delegate == null) {
            return refused(RefusalCode.INVALID_CAPABILITY_DELEGATE);
        }
        Bytes signature = capability.bytes("sig").orElse(null);
        if (signature == null
                || signature.size() != Signature.SIZE
                || !Ed25519Signatures.valid(new Signature(signature), issuer, blob.signedBytes())) {
            return refused(RefusalCode.INVALID_CAPABILITY_SIGNATURE);
        }
        if (!delegate.equals(shownBy)) {
            return refused(RefusalCode.CAPABILITY_DELEGATE_MISMATCH);
        }
        if (!capability.text("role").filter(ROLES::contains).isPresent()) {
            return refused(RefusalCode.CAPABILITY_ROLE);
        }
        if (delegate.equals(issuer)) {
            return refused(RefusalCode.CAPABILITY_SELF_DELEGATION);
        }
        return new Accepted<>(new Capability(issuer, delegate, issuedAt(capability)));
    }

    private static @Nullable Principal principalOrNull(MapValue capability, String name) {
        return capability
                .bytes(name)
                .map(raw -> Principal.fromBytesOrNull(raw.shared()))
                .orElse(null);
    }

    /** One without a time is older than every revocation. */
    private static long issuedAt(MapValue capability) {
        CborValue value = capability.members().get("ts");
        if (value instanceof IntegerValue integer) {
            return integer.asLong().orElse(0);
        }
        return value instanceof FloatValue decimal ? (long) decimal.value() : 0;
    }

    private static <T> Checked<T> refused(RefusalCode code) {
        return new Refused<>(Refusal.of(code));
    }
}
