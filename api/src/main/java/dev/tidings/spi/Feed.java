package dev.tidings.spi;

import dev.tidings.StoredEntry;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One rising row of numbers over the entries of all sessions, given after they have committed.
 *
 * <p>Whoever numbers takes the head of the feed, alone in the whole runtime until its rows are committed: so a reader that
 * has seen a number has no smaller one still to come, however early the transaction of an entry began (law 13). An entry's
 * number comes from the position that it has in its session. What is not stored takes numbers from a block that is reserved
 * at the same head. No number is given twice, also by another node or after a restart; between two numbers there may be a
 * hole. Appending waits for nothing here.
 *
 * <p>Rows have a <em>place</em> as well, consecutive from 1 over the runtime. Rows outlive the entries of a deleted session.
 *
 * <p>Threads: safe for use by many threads; every call may block on a database and is a transaction of its own. Errors: any
 * exception means that nothing was given and nothing is known; numbers may be lost. Source: protocols B.
 */
public interface Feed {

    /** How far the feed reaches: what the last turn gave. */
    Head head();

    /**
     * Numbers entries, and reserves numbers behind them.
     *
     * @param upTo sessions, with the position up to which their entries are to be numbered; what is numbered already, or
     *     is not committed, is passed over
     * @param reserve how many numbers to reserve, from 0
     */
    Turn number(Map<String, Long> upTo, int reserve);

    /**
     * Rows by place, a page.
     *
     * @param afterPlace the place before the first row wanted
     * @param maxRows at most so many, from 1
     * @param maxBytes stops before the payloads are more than this, but never before the first row
     */
    List<FeedRow> read(long afterPlace, int maxRows, int maxBytes);

    /**
     * Rows by place as in {@link #read}, for whoever is shown one agent's part: rows of other agents come without their
     * entries. A feed in a database overrides this and does not read those, so that they cost nothing but their places; here
     * they are read, and their bytes count.
     */
    default List<FeedRow> readAgent(String agentId, long afterPlace, int maxRows, int maxBytes) {
        return read(afterPlace, maxRows, maxBytes).stream()
                .map(row -> row.agentId().equals(agentId) ? row : row.withoutEntry())
                .toList();
    }

    /** Rows of one session by position, a page; the bounds as in {@link #read}. */
    List<FeedRow> readSession(String sessionId, long afterPosition, int maxRows, int maxBytes);

    /** The place of the last row with a number of at most {@code seq}; 0 if there is none. */
    long placeAt(long seq);

    /** The position of a session's last row with a number of at most {@code seq}; 0 if there is none. */
    long positionAt(String sessionId, long seq);

    /** The sessions with entries that have no number, and how far they reach; not more than {@code max}. Looks at them all. */
    Map<String, Long> behind(int max);

    /** The same, looking at the named sessions only. */
    Map<String, Long> behind(Collection<String> sessionIds);

    /** Which of the named sessions are there; what was deleted is not. */
    Set<String> existing(Collection<String> sessionIds);

    /**
     * Makes a node the one that looks after what no other node told of, or lets it stay that, by the database's clock.
     *
     * @return whether it is; at most one node is at a time
     */
    boolean lead(String nodeId, Duration lease);

    /**
     * How far the feed reaches.
     *
     * @param lastSeq the highest number that was given or reserved
     * @param place the place of the last row
     */
    record Head(long lastSeq, long place) {}

    /**
     * What a turn at the head gave.
     *
     * @param reservedFrom the first number reserved; every row up to {@code place} has a smaller one, every later row and
     *     block has greater ones
     * @param reservedUntil behind the last number reserved
     * @param place the place of the last row of the feed
     * @param more whether there is more to number than one turn does
     */
    record Turn(long reservedFrom, long reservedUntil, long place, boolean more) {}

    /**
     * A number and what has it.
     *
     * @param seq the number
     * @param place where it is in the feed
     * @param sessionId the session
     * @param position where it is in the session
     * @param agentId the session's agent
     * @param entry the entry; null if its session was deleted, or it was not asked for
     */
    record FeedRow(
            long seq,
            long place,
            String sessionId,
            long position,
            String agentId,
            @Nullable StoredEntry entry) {

        /** The same without the entry. */
        public FeedRow withoutEntry() {
            return new FeedRow(seq, place, sessionId, position, agentId, null);
        }
    }
}
