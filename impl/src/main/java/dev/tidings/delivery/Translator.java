package dev.tidings.delivery;

import dev.tidings.StoredEntry;
import java.util.List;

/**
 * One wire protocol's view of a stored entry. Equal translators share the windows of their streams.
 *
 * <p>Pure: the same entry gives the same frames, live and in replay (law 12). Threads: any number at once.
 */
@FunctionalInterface
public interface Translator {

    /** The frames that show the entry, in order; none if this protocol does not show it. */
    List<Frame> frames(StoredEntry entry);
}
