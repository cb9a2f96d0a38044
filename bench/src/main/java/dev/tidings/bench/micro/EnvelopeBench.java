package dev.tidings.bench.micro;

import dev.tidings.envelope.CborValue;
import dev.tidings.envelope.Checked;
import dev.tidings.envelope.DagCbor;
import dev.tidings.envelope.EnvelopeDecoder;
import dev.tidings.envelope.EnvelopeFixtures;
import dev.tidings.envelope.EnvelopeLimits;
import dev.tidings.envelope.EnvelopeVerifier;
import dev.tidings.envelope.SignedEnvelope;
import dev.tidings.envelope.SignerCheck;
import dev.tidings.envelope.VerifiedEnvelope;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A signed subscription: the canonical check with the decoding, and the verification. Public for JMH. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@SuppressWarnings("NullAway.Init") // JMH fills it
public class EnvelopeBench {
    private static final long NOW = 1_700_000_000_000L;

    private final EnvelopeDecoder decoder = new EnvelopeDecoder(EnvelopeLimits.DEFAULT);
    private final EnvelopeVerifier verifier =
            new EnvelopeVerifier(EnvelopeLimits.DEFAULT, SignerCheck.OWN_ACCOUNT_ONLY);
    private byte[] message;
    private SignedEnvelope envelope;

    /** Signs one message. */
    @Setup
    public void sign() {
        message = EnvelopeFixtures.signed(
                EnvelopeFixtures.Signer.number(1),
                EnvelopeFixtures.subscribe("sessions/00000000-0000-0000-0000-000000000000", NOW, 0));
        accepted(DagCbor.decode(message, EnvelopeLimits.DEFAULT));
        envelope = accepted(decoder.decode(message));
        accepted(verifier.verify(envelope, NOW));
    }

    /** A refusal would be measured, and fast. */
    private static <T> T accepted(Checked<T> checked) {
        return checked.fold(accepted -> accepted, refusal -> {
            throw new AssertionError(refusal.toString());
        });
    }

    /** Canonical check and values. */
    @Benchmark
    public Checked<CborValue> checkAndDecode() {
        return DagCbor.decode(message, EnvelopeLimits.DEFAULT);
    }

    /** Canonical check, values, the members of an envelope. */
    @Benchmark
    public Checked<SignedEnvelope> envelope() {
        return decoder.decode(message);
    }

    /** The signature and what is said of it. */
    @Benchmark
    public Checked<VerifiedEnvelope> verify() {
        return verifier.verify(envelope, NOW);
    }
}
