package dev.tidings.delivery;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The snapshots that a socket was sent lately, whatever subscription they came by: none is sent twice, and none after a
 * newer one (law 4).
 *
 * <p>Bounded: of more than {@value #MOST} keys the one that was silent for longest is forgotten. Counted in bytes, as a part
 * of what its socket holds.
 *
 * <p>Threads: none of its own; guarded by the lock of the outbox.
 */
final class SentSnapshots {
    static final int MOST = 1024;
    private static final int KEY_BYTES = 100;

    // Confined: under the outbox's lock. In the order of last use.
    private final Map<String, Long> versions = new LinkedHashMap<>(4, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            boolean full = size() > MOST;
            bytes -= full ? bytesOf(eldest.getKey()) : 0;
            return full;
        }
    };

    // Confined: under the outbox's lock.
    private long bytes;

    /** What it holds. */
    long bytes() {
        return bytes;
    }

    private static long bytesOf(String snapshotKey) {
        return KEY_BYTES + snapshotKey.length();
    }

    /** Whether a snapshot is newer than what the socket was sent. */
    boolean isNews(String snapshotKey, long version) {
        Long known = versions.get(snapshotKey);
        return known == null || known < version;
    }

    /** Whether the socket was sent something newer than one of these. */
    boolean outdated(Map<String, Long> snapshots) {
        return snapshots.entrySet().stream().anyMatch(one -> {
            Long known = versions.get(one.getKey());
            return known != null && known > one.getValue();
        });
    }

    /** Nothing more will be sent. */
    void forget() {
        versions.clear();
        bytes = 0;
    }

    /** Notes that a snapshot is the last that was sent of its key. */
    void sent(String snapshotKey, long version) {
        bytes += versions.containsKey(snapshotKey) ? 0 : bytesOf(snapshotKey);
        versions.put(snapshotKey, version);
    }
}
