package dev.tidings.transport;

import dev.tidings.delivery.Frame;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Makes bursts, once for sockets that send the same frames at about the same time: the thousand watchers of a session get
 * their batches joined once, not a thousand times.
 *
 * <p>It keeps nothing alive: what no send holds is forgotten by the next collection.
 *
 * <p>Threads: any.
 */
final class Bursts {
    private static final int SLOTS = 64;

    private final AtomicReferenceArray<@Nullable WeakReference<Made>> slots = new AtomicReferenceArray<>(SLOTS);

    private record Made(List<Frame> frames, @Nullable UnaryOperator<byte[]> form, Burst burst) {
        @SuppressWarnings("ReferenceEquality") // the same frames, not frames that say the same: it must cost nothing
        boolean isOf(List<Frame> others, @Nullable UnaryOperator<byte[]> otherForm) {
            if (form != otherForm || frames.size() != others.size()) {
                return false;
            }
            // From the end: batches that share a beginning differ there.
            for (int i = others.size() - 1; i >= 0; i--) {
                if (frames.get(i) != others.get(i)) {
                    return false;
                }
            }
            return true;
        }
    }

    /**
     * A burst of frames.
     *
     * @param frames one or more; the list never changes
     * @param form makes the binary messages; null for text
     */
    Burst of(List<Frame> frames, @Nullable UnaryOperator<byte[]> form) {
        int size = frames.size();
        int slot = (System.identityHashCode(frames.get(size - 1)) * 31 + size) & (SLOTS - 1);
        WeakReference<Made> kept = slots.get(slot);
        Made made = kept == null ? null : kept.get();
        if (made == null || !made.isOf(frames, form)) {
            made = new Made(frames, form, Burst.of(frames, form));
            slots.set(slot, new WeakReference<>(made));
        }
        return made.burst();
    }
}
