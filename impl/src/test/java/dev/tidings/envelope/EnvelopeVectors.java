package dev.tidings.envelope;

import dev.tidings.envelope.CborValue.BoolValue;
import dev.tidings.envelope.CborValue.FloatValue;
import dev.tidings.envelope.CborValue.IntegerValue;
import dev.tidings.envelope.CborValue.ListValue;
import dev.tidings.envelope.CborValue.MapValue;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * The signed Subscribe envelopes of {@code vectors/subscribe-envelopes.json} with the outcome that each must have.
 *
 * <p>Public because the tests of other packages run the vectors' later stages.
 */
public final class EnvelopeVectors {
    private static final String FILE = "/vectors/subscribe-envelopes.json";

    private EnvelopeVectors() {}

    /** Where a refused vector fails: its bytes, its envelope, or what it subscribes to. */
    public enum Stage {
        DECODE,
        ENVELOPE,
        SUBSCRIBE
    }

    /** The outcome that a vector must have. */
    public sealed interface Expected {
        /** The subscription stands. */
        record Ok(String key, String accountId, OptionalDouble afterSeq, Optional<String> publicReadOf)
                implements Expected {}

        /** Refused; where {@code reason} is absent the text is free. */
        record Refused(Stage stage, String reasonClass, Optional<String> reason, OptionalInt status)
                implements Expected {}
    }

    /**
     * One vector.
     *
     * @param either both outcomes are fine, because sound Ed25519 libraries disagree
     * @param signedBytes what the signature is about, where the vector says it
     */
    public record Vector(
            String name,
            String category,
            Bytes envelope,
            long nowMillis,
            String accountId,
            String signerId,
            Optional<Bytes> signedBytes,
            Expected expected,
            boolean either) {
        /** Whether the envelope itself passes: it is accepted, or refused for what it subscribes to. */
        public boolean passesEnvelope() {
            return !(expected instanceof Expected.Refused refused) || refused.stage() == Stage.SUBSCRIBE;
        }

        @Override
        public String toString() {
            return category + ": " + name;
        }
    }

    /** All vectors in the order of the file. */
    public static List<Vector> all() {
        return objects(file(), "vectors").map(EnvelopeVectors::vector).toList();
    }

    /** The accounts, agents, collaborators, sessions, runs and authorisations on which outcomes depend. */
    public static MapValue world() {
        return map(file(), "world");
    }

    /** A signer check with the authorisations of {@link #world()}. */
    public static SignerCheck authorizations() {
        var pairs = objects(world(), "account_authorizations")
                .collect(Collectors.toMap(
                        row -> new Pair(
                                row.text("account").orElseThrow(),
                                row.text("signer").orElseThrow()),
                        Function.identity(),
                        (a, b) -> a));
        return (account, signer) -> pairs.containsKey(new Pair(account, signer));
    }

    private record Pair(String account, String signer) {}

    private static MapValue file() {
        try (InputStream in = Objects.requireNonNull(EnvelopeVectors.class.getResourceAsStream(FILE), FILE)) {
            return (MapValue) DagCbor.fromJson(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static MapValue map(MapValue parent, String name) {
        return parent.map(name).orElseThrow();
    }

    private static java.util.stream.Stream<MapValue> objects(MapValue parent, String name) {
        ListValue list = parent.list(name).orElseThrow();
        return StreamSupport.stream(list.items().spliterator(), false).map(MapValue.class::cast);
    }

    private static Vector vector(MapValue row) {
        return new Vector(
                row.text("name").orElseThrow(),
                row.text("category").orElseThrow(),
                hex(row.text("envelopeHex").orElseThrow()),
                row.integer("nowMs").orElseThrow(),
                row.text("accountId").orElse(""),
                row.text("signerId").orElse(""),
                row.text("signedBytesHex").map(EnvelopeVectors::hex),
                expected(map(row, "expected")),
                isTrue(row.members(), "either"));
    }

    private static Bytes hex(String text) {
        return Bytes.copyOf(HexFormat.of().parseHex(text));
    }

    private static Expected expected(MapValue row) {
        if (isTrue(row.members(), "ok")) {
            return new Expected.Ok(
                    row.text("key").orElseThrow(),
                    row.text("accountId").orElseThrow(),
                    number(row, "afterSeq"),
                    row.text("publicReadOf"));
        }
        OptionalDouble status = number(row, "status");
        return new Expected.Refused(
                Stage.valueOf(row.text("stage").orElseThrow().toUpperCase(java.util.Locale.ROOT)),
                row.text("reasonClass").orElseThrow(),
                row.text("reason"),
                status.isPresent() ? OptionalInt.of((int) status.getAsDouble()) : OptionalInt.empty());
    }

    private static boolean isTrue(Map<String, CborValue> members, String name) {
        return members.get(name) instanceof BoolValue bool && bool.value();
    }

    private static OptionalDouble number(MapValue row, String name) {
        CborValue value = row.members().get(name);
        if (value instanceof IntegerValue integer) {
            return OptionalDouble.of(integer.value().doubleValue());
        }
        return value instanceof FloatValue decimal ? OptionalDouble.of(decimal.value()) : OptionalDouble.empty();
    }
}
