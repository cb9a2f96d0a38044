package dev.tidings.spi;

import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The receipts of commands that were done: what keeps one that comes again from having a second effect, on any node and
 * after a restart (law 11).
 *
 * <p>A receipt is stored in the transaction of the effect, so that there is either both or neither. It may be stored
 * before the answer is known: then it is pending, and names what the answer will come of.
 *
 * <p>Threads: safe for use by many threads, each in its own transaction. Errors: writing throws if there is no transaction;
 * any other exception means that nothing is known.
 */
public interface Receipts {

    /**
     * The receipts of an account that have not expired, by command; those that do not exist are left out.
     *
     * @param commandIds 1 to 100
     * @param now epoch milliseconds
     */
    Map<String, Receipt> find(String accountId, Collection<String> commandIds, long now);

    /**
     * Stores a receipt in the caller's transaction; one that has expired makes room.
     *
     * <p>If there is one already, this call or the commit throws and the transaction is rolled back. While another
     * transaction holds one that is not yet committed, the caller waits for that, or fails after a while.
     *
     * @param now epoch milliseconds
     */
    void create(Receipt receipt, long now);

    /**
     * Gives a pending receipt its answer, in the caller's transaction; false if there is none that is pending, and then
     * nothing changes.
     */
    boolean answer(String accountId, String commandId, Answer answer);

    /**
     * Deletes receipts that have expired, in the caller's transaction.
     *
     * @param now epoch milliseconds
     * @param most at most so many, from 1
     * @return how many
     */
    int expire(long now, int most);

    /**
     * One receipt.
     *
     * @param accountId who gave the command
     * @param commandId names the command within the account; 1 to 255 characters
     * @param digest of all that the command says: another one under the same id is another command; 1 to 255 characters
     * @param reference what a pending command's answer will come of, such as the id of a run; 1 to 255 characters,
     *     null if there is nothing to name
     * @param answer the first answer; null while it is pending
     * @param createdAt epoch milliseconds
     * @param expiresAt from then on it counts no more
     */
    record Receipt(
            String accountId,
            String commandId,
            String digest,
            @Nullable String reference,
            @Nullable Answer answer,
            long createdAt,
            long expiresAt) {

        /** Checks the names. */
        public Receipt {
            if (commandId.isEmpty() || digest.isEmpty() || (reference != null && reference.isEmpty())) {
                throw new IllegalArgumentException("a name has one or more characters");
            }
        }
    }

    /**
     * The answer to a command.
     *
     * <p>Threads: immutable.
     */
    final class Answer {
        private final int status;
        private final byte @Nullable [] body;

        /**
         * An answer.
         *
         * @param status a number of the caller's, 1 to 999
         * @param body any bytes, copied; null if they are not kept
         */
        public Answer(int status, byte @Nullable [] body) {
            this.status = status;
            this.body = body == null ? null : body.clone();
        }

        /** The caller's number. */
        public int status() {
            return status;
        }

        /** The bytes, copied; null if they were not kept. */
        public byte @Nullable [] body() {
            return body == null ? null : body.clone();
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Answer that && status == that.status && Arrays.equals(body, that.body);
        }

        @Override
        public int hashCode() {
            return 31 * status + Arrays.hashCode(body);
        }

        /** The status and the size only. */
        @Override
        public String toString() {
            return "Answer[" + status + ", " + (body == null ? "not kept" : body.length + " bytes") + "]";
        }
    }
}
