package dev.tidings.envelope;

import java.util.AbstractList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A list as a view of checked bytes: every item is decoded when it is reached, and not kept. */
final class CheckedList extends AbstractList<CborValue> {
    private final byte[] bytes;
    private final int start;

    /** @param start where the list's head starts in {@code bytes} */
    CheckedList(byte[] bytes, int start) {
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
    public CborValue get(int index) {
        Objects.checkIndex(index, size());
        int at = Heads.end(bytes, start);
        for (int i = 0; i < index; i++) {
            at = Heads.itemEnd(bytes, at);
        }
        return CborReader.value(bytes, at);
    }

    @Override
    public Iterator<CborValue> iterator() {
        return new Iterator<>() {
            // Confined: an iterator belongs to the thread that asked for it.
            private int left = size();
            private int at = Heads.end(bytes, start);

            @Override
            public boolean hasNext() {
                return left > 0;
            }

            @Override
            public CborValue next() {
                if (left == 0) {
                    throw new NoSuchElementException();
                }
                left--;
                CborValue item = CborReader.value(bytes, at);
                at = Heads.itemEnd(bytes, at);
                return item;
            }
        };
    }

    // AbstractList compares through a list iterator that indexes, which would be quadratic here.
    @Override
    public boolean equals(@Nullable Object other) {
        if (other instanceof CheckedList that) {
            return Heads.sameItem(bytes, start, that.bytes, that.start);
        }
        if (!(other instanceof List<?> that) || that.size() != size()) {
            return false;
        }
        Iterator<?> others = that.iterator();
        for (CborValue item : this) {
            if (!item.equals(others.next())) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        int hash = 1;
        for (CborValue item : this) {
            hash = 31 * hash + item.hashCode();
        }
        return hash;
    }
}
