package dev.tidings.envelope;

import dev.tidings.envelope.CborValue.BoolValue;
import dev.tidings.envelope.CborValue.BytesValue;
import dev.tidings.envelope.CborValue.FloatValue;
import dev.tidings.envelope.CborValue.IntegerValue;
import dev.tidings.envelope.CborValue.LinkValue;
import dev.tidings.envelope.CborValue.ListValue;
import dev.tidings.envelope.CborValue.MapValue;
import dev.tidings.envelope.CborValue.NullValue;
import dev.tidings.envelope.CborValue.TextValue;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes values in canonical DAG-CBOR. Jackson's generator cannot: its maps have an indefinite length, and it cuts long
 * texts into chunks, which strict readers refuse.
 */
final class CborWriter implements CborValue.Cases<Void> {
    private static final Comparator<byte[]> KEY_ORDER =
            Comparator.<byte[]>comparingInt(key -> key.length).thenComparing(Arrays::compareUnsigned);
    private static final int FALSE = 0xf4;
    private static final int TRUE = 0xf5;
    private static final int NULL = 0xf6;
    private static final int FLOAT64 = 0xfb;
    private static final int LINK_TAG = 42;

    // Confined: one writer writes one value on one thread.
    private final ByteArrayOutputStream out = new ByteArrayOutputStream(256);

    private CborWriter() {}

    static byte[] write(CborValue value) {
        CborWriter writer = new CborWriter();
        value.fold(writer);
        return writer.out.toByteArray();
    }

    private void head(int major, long argument) {
        int type = major << 5;
        if (Long.compareUnsigned(argument, 24) < 0) {
            out.write(type | (int) argument);
        } else if (Long.compareUnsigned(argument, 1L << 8) < 0) {
            out.write(type | 24);
            bigEndian(argument, 1);
        } else if (Long.compareUnsigned(argument, 1L << 16) < 0) {
            out.write(type | 25);
            bigEndian(argument, 2);
        } else if (Long.compareUnsigned(argument, 1L << 32) < 0) {
            out.write(type | 26);
            bigEndian(argument, 4);
        } else {
            out.write(type | 27);
            bigEndian(argument, 8);
        }
    }

    private void bigEndian(long value, int size) {
        byte[] eight = ByteBuffer.allocate(Long.BYTES).putLong(value).array();
        out.write(eight, Long.BYTES - size, size);
    }

    private void string(int major, byte[] content) {
        head(major, content.length);
        out.writeBytes(content);
    }

    @Override
    public Void map(MapValue value) {
        Map<byte[], CborValue> sorted = new TreeMap<>(KEY_ORDER);
        value.members().forEach((name, member) -> sorted.put(Utf8.encode(name), member));
        head(Heads.MAP, sorted.size());
        sorted.forEach((key, member) -> {
            string(Heads.TEXT, key);
            member.fold(this);
        });
        return null;
    }

    @Override
    public Void list(ListValue value) {
        head(Heads.LIST, value.items().size());
        for (CborValue item : value.items()) {
            item.fold(this);
        }
        return null;
    }

    @Override
    public Void text(TextValue value) {
        string(Heads.TEXT, Utf8.encode(value.value()));
        return null;
    }

    @Override
    public Void bytes(BytesValue value) {
        string(Heads.BYTES, value.value().shared());
        return null;
    }

    @Override
    public Void integer(IntegerValue value) {
        BigInteger number = value.value();
        // A negative integer n is written as -1 - n, whose bits are those of n inverted.
        boolean negative = number.signum() < 0;
        head(negative ? Heads.NEGATIVE : Heads.UNSIGNED, (negative ? number.not() : number).longValue());
        return null;
    }

    @Override
    public Void decimal(FloatValue value) {
        out.write(FLOAT64);
        bigEndian(Double.doubleToLongBits(value.value()), Long.BYTES);
        return null;
    }

    @Override
    public Void bool(BoolValue value) {
        out.write(value.value() ? TRUE : FALSE);
        return null;
    }

    @Override
    public Void nothing(NullValue value) {
        out.write(NULL);
        return null;
    }

    @Override
    public Void link(LinkValue value) {
        byte[] cid = value.cid().bytes().shared();
        head(Heads.TAG, LINK_TAG);
        head(Heads.BYTES, cid.length + 1L);
        out.write(0);
        out.writeBytes(cid);
        return null;
    }
}
