package dev.tidings.delivery;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.StoredEntry;
import java.util.ArrayList;
import java.util.List;

/**
 * A protocol that shows some entries with one frame, some with two, and, if it is the sparse one, some not at all.
 *
 * <p>Frames are texts with fields between bars: kind, translator, key, and what the kind needs.
 *
 * <p>Threads: one.
 */
final class SimTranslator implements Translator {
    private final String name;
    private final boolean sparse;
    private final Runnable meanwhile;
    private final Runnable trouble;
    int calls;

    SimTranslator(String name, boolean sparse, Runnable meanwhile, Runnable trouble) {
        this.name = name;
        this.sparse = sparse;
        this.meanwhile = meanwhile;
        this.trouble = trouble;
    }

    String name() {
        return name;
    }

    @Override
    public List<Frame> frames(StoredEntry entry) {
        assertTrue(EngineLock.noneHeld(), "law 8: a translator is called under a lock");
        calls++;
        List<Frame> frames = new ArrayList<>();
        for (int i = 0; i < frames(this, entry.position()); i++) {
            frames.add(Frame.ofText(
                    "e|" + name + "|" + entry.stream().text() + "|" + entry.position() + "|" + i + padding(entry)));
        }
        meanwhile.run();
        trouble.run();
        return frames;
    }

    private static String padding(StoredEntry entry) {
        return entry.position() % 11 == 0 ? "|" + "x".repeat(150) : "";
    }

    /** How many frames show a position. */
    static int frames(Translator translator, long position) {
        boolean sparse = translator instanceof SimTranslator sim && sim.sparse;
        if (position % 5 == 0) {
            return 2;
        }
        return sparse && position % 3 != 1 ? 0 : 1;
    }
}
