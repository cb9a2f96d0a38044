package dev.tidings.protocol.agents;

import dev.tidings.envelope.CborValue;
import dev.tidings.envelope.CborValue.ListValue;
import dev.tidings.envelope.DagCbor;
import java.util.ArrayList;
import java.util.List;

/**
 * How much one answer may list, and all that are being made together.
 *
 * <p>Threads: any; a list is made by one.
 *
 * @param maxBytes the JSON of one answer's list; more only if its first item is larger
 * @param budget for all
 */
record Reading(int maxBytes, ReadBudget budget) {

    /** An item stands in memory as bytes, as values and as the answer. */
    private static final int COPIES = 4;

    /** An empty list; to be closed when the answer was made. */
    Items items() {
        return new Items(maxBytes, budget.share());
    }

    /** The items of one answer. Confined: the thread that makes it. */
    static final class Items implements AutoCloseable {
        private final int maxBytes;
        private final ReadBudget.Share share;
        private final List<CborValue> items = new ArrayList<>();
        private long bytes;

        private Items(int maxBytes, ReadBudget.Share share) {
            this.maxBytes = maxBytes;
            this.share = share;
        }

        /**
         * Adds an item; false if there is no room for it in this answer.
         *
         * @throws ActionRefusal if there is no room for it in all answers
         */
        boolean add(byte[] json) {
            if (bytes + json.length > maxBytes && !items.isEmpty()) {
                return false;
            }
            bytes += json.length;
            share.grow((long) COPIES * json.length);
            items.add(DagCbor.fromJson(json));
            return true;
        }

        int size() {
            return items.size();
        }

        ListValue list() {
            return CborValue.list(items);
        }

        @Override
        public void close() {
            share.close();
        }
    }
}
