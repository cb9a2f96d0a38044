package dev.tidings.envelope;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A map as a view of checked bytes: every member is decoded when it is reached, and not kept. */
final class CheckedMap extends AbstractMap<String, CborValue> {
    private static final int ABSENT = -1;

    private final byte[] bytes;
    private final int start;

    /** @param start where the map's head starts in {@code bytes} */
    CheckedMap(byte[] bytes, int start) {
        this.bytes = bytes;
        this.start = start;
    }

    byte[] bytes() {
        return bytes;
    }

    int start() {
        return start;
    }

    @Override
    public int size() {
        return (int) Heads.argument(bytes, start);
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return key instanceof String name && valueStart(name) != ABSENT;
    }

    @Override
    public @Nullable CborValue get(@Nullable Object key) {
        if (!(key instanceof String name)) {
            return null;
        }
        int at = valueStart(name);
        return at == ABSENT ? null : CborReader.value(bytes, at);
    }

    private int valueStart(String name) {
        byte[] wanted = Utf8.encode(name);
        int at = Heads.end(bytes, start);
        for (int left = size(); left > 0; left--) {
            // Keys come in the order of their length.
            if (Heads.argument(bytes, at) > wanted.length) {
                return ABSENT;
            }
            int value = Heads.itemEnd(bytes, at);
            if (Heads.isText(bytes, at, wanted)) {
                return value;
            }
            at = Heads.itemEnd(bytes, value);
        }
        return ABSENT;
    }

    @Override
    public Set<Map.Entry<String, CborValue>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public int size() {
                return CheckedMap.this.size();
            }

            @Override
            public Iterator<Map.Entry<String, CborValue>> iterator() {
                return new Members();
            }
        };
    }

    // Equal values have equal bytes; looking every member up in another view would be quadratic.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof CheckedMap that
                ? Heads.sameItem(bytes, start, that.bytes, that.start)
                : super.equals(other);
    }

    @Override
    public int hashCode() {
        return super.hashCode();
    }

    private final class Members implements Iterator<Map.Entry<String, CborValue>> {
        // Confined: an iterator belongs to the thread that asked for it.
        private int left = size();
        private int at = Heads.end(bytes, start);

        @Override
        public boolean hasNext() {
            return left > 0;
        }

        @Override
        public Map.Entry<String, CborValue> next() {
            if (left == 0) {
                throw new NoSuchElementException();
            }
            left--;
            int value = Heads.itemEnd(bytes, at);
            Map.Entry<String, CborValue> member = Map.entry(CborReader.text(bytes, at), CborReader.value(bytes, value));
            at = Heads.itemEnd(bytes, value);
            return member;
        }
    }
}
