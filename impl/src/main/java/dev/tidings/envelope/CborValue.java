package dev.tidings.envelope;

import java.math.BigInteger;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A value of the DAG-CBOR data model.
 *
 * <p>Maps and lists of a received message are views of its bytes: a member is decoded when it is asked for, so that a message
 * of many small items takes no more memory than its bytes. Take a member once and keep it; do not look it up in a loop.
 *
 * <p>Threads: immutable.
 */
public sealed interface CborValue {
    /** Null. */
    CborValue NULL = new NullValue();

    /** Gives the answer of the case that fits. */
    <R> R fold(Cases<R> cases);

    /** A map's value in the given order of members, which the canonical form does not keep. */
    static MapValue map(Map<String, ? extends CborValue> members) {
        return new MapValue(Collections.unmodifiableMap(new LinkedHashMap<>(members)));
    }

    /** A list's value. */
    static ListValue list(List<? extends CborValue> items) {
        return new ListValue(List.copyOf(items));
    }

    /** A text. */
    static TextValue text(String value) {
        return new TextValue(value);
    }

    /** Bytes, copied. */
    static BytesValue bytes(byte[] value) {
        return new BytesValue(Bytes.copyOf(value));
    }

    /** An integer. */
    static IntegerValue integer(long value) {
        return new IntegerValue(BigInteger.valueOf(value));
    }

    /** A boolean. */
    static BoolValue bool(boolean value) {
        return new BoolValue(value);
    }

    /** One function for each kind of value. */
    interface Cases<R> {
        R map(MapValue value);

        R list(ListValue value);

        R text(TextValue value);

        R bytes(BytesValue value);

        R integer(IntegerValue value);

        R decimal(FloatValue value);

        R bool(BoolValue value);

        R nothing(NullValue value);

        R link(LinkValue value);
    }

    /**
     * Values by text keys. Of a received message in canonical order; looking up takes time with the size of the map.
     *
     * @param members not to be modified by whoever made it; use {@link CborValue#map}
     */
    record MapValue(Map<String, CborValue> members) implements CborValue {
        public MapValue {
            members = members instanceof CheckedMap ? members : Collections.unmodifiableMap(members);
        }

        /** The member of that name, of any kind. */
        public Optional<CborValue> member(String name) {
            return Optional.ofNullable(members.get(name));
        }

        /** The member of that name, when it is a text. */
        public Optional<String> text(String name) {
            return members.get(name) instanceof TextValue found ? Optional.of(found.value()) : Optional.empty();
        }

        /** The member of that name, when it is a map. */
        public Optional<MapValue> map(String name) {
            return members.get(name) instanceof MapValue found ? Optional.of(found) : Optional.empty();
        }

        /** The member of that name, when it is a list. */
        public Optional<ListValue> list(String name) {
            return members.get(name) instanceof ListValue found ? Optional.of(found) : Optional.empty();
        }

        /** The member of that name, when it is bytes. */
        public Optional<Bytes> bytes(String name) {
            return members.get(name) instanceof BytesValue found ? Optional.of(found.value()) : Optional.empty();
        }

        /** The member of that name, when it is an integer that fits 64 bits with a sign. */
        public OptionalLong integer(String name) {
            return members.get(name) instanceof IntegerValue found ? found.asLong() : OptionalLong.empty();
        }

        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.map(this);
        }
    }

    /** Values in order. Iterate rather than index: a received list finds item n by walking to it. */
    record ListValue(List<CborValue> items) implements CborValue {
        public ListValue {
            items = items instanceof CheckedList ? items : Collections.unmodifiableList(items);
        }

        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.list(this);
        }
    }

    /** A text of any length; NUL is a character like another. */
    record TextValue(String value) implements CborValue {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.text(this);
        }
    }

    /** A string of bytes. */
    record BytesValue(Bytes value) implements CborValue {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.bytes(this);
        }
    }

    /** An integer from −2^64 to 2^64 − 1, exact. */
    record IntegerValue(BigInteger value) implements CborValue {
        private static final int BITS = 64;

        /** @throws IllegalArgumentException if the value is out of range */
        public IntegerValue {
            if (value.bitLength() > BITS) {
                throw new IllegalArgumentException("an integer of DAG-CBOR is between -2^64 and 2^64 - 1");
            }
        }

        /** The value, when it fits 64 bits with a sign. */
        public OptionalLong asLong() {
            return value.bitLength() < BITS ? OptionalLong.of(value.longValue()) : OptionalLong.empty();
        }

        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.integer(this);
        }
    }

    /** A finite number that is not a whole number within 2^53 − 1; those are integers. */
    record FloatValue(double value) implements CborValue {
        private static final double LARGEST_EXACT = 9007199254740991d;

        /** @throws IllegalArgumentException if the value is not finite, or has to be an integer */
        public FloatValue {
            if (!Double.isFinite(value)) {
                throw new IllegalArgumentException("a float of DAG-CBOR is a finite number");
            }
            if (integral(value)) {
                throw new IllegalArgumentException("a whole number within 2^53 - 1 is an integer");
            }
        }

        /** Whether the value is one that canonical DAG-CBOR writes as an integer. */
        static boolean integral(double value) {
            return Math.rint(value) == value && Math.abs(value) <= LARGEST_EXACT;
        }

        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.decimal(this);
        }
    }

    /** True or false. */
    record BoolValue(boolean value) implements CborValue {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.bool(this);
        }
    }

    /** Null, which is not the same as an absent member. */
    record NullValue() implements CborValue {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.nothing(this);
        }
    }

    /** A link to other content. */
    record LinkValue(Cid cid) implements CborValue {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.link(this);
        }
    }
}
