package dev.tidings.protocol.agents;

import dev.tidings.protocol.http.HttpAnswer;
import dev.tidings.spi.Receipts;
import dev.tidings.spi.Receipts.Answer;
import dev.tidings.spi.Receipts.Receipt;
import dev.tidings.spi.Transactions;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The receipt of one action that is being done: under its signature, and under the client's own name for it if there is
 * one.
 *
 * <p>Threads: one at a time, handed on by the stages of the action.
 */
final class ActionReceipt {

    /**
     * A name under which the action is known again.
     *
     * @param id unique within the account
     * @param digest of what the action says
     * @param retentionMillis how long it is remembered
     */
    record Name(String id, String digest, long retentionMillis) {}

    /** What receipts are kept with. */
    record Keeping(Receipts receipts, Transactions transactions, InstantSource clock, int maxAnswerBytes) {}

    private final Keeping keeping;
    private final String account;
    private final List<Name> names;
    // Volatile: set by the handler's thread, read by whoever records its answer.
    private volatile boolean begun;
    private volatile boolean finished;

    /** @param names the client's own first: of two receipts it is the one that says more */
    ActionReceipt(Keeping keeping, String account, List<Name> names) {
        this.keeping = keeping;
        this.account = account;
        this.names = List.copyOf(names);
    }

    String account() {
        return account;
    }

    List<Name> names() {
        return names;
    }

    /** Whether {@link #begin} or {@link #goOn} was called; its transaction may have been rolled back all the same. */
    boolean begun() {
        return begun;
    }

    /** Whether {@link #finish} was called; likewise. */
    boolean finished() {
        return finished;
    }

    /** What is on record, under whichever name. */
    Optional<Receipt> find() {
        Map<String, Receipt> found = keeping.receipts()
                .find(
                        account,
                        names.stream().map(Name::id).toList(),
                        keeping.clock().millis());
        return names.stream()
                .map(Name::id)
                .filter(found::containsKey)
                .findFirst()
                .map(found::get);
    }

    /** Whether a receipt that was found is of this very action. */
    boolean isOfThis(Receipt found) {
        return names.stream()
                .anyMatch(name ->
                        name.id().equals(found.commandId()) && name.digest().equals(found.digest()));
    }

    /**
     * In the caller's transaction: the action is under way.
     *
     * @param reference what its answer will come of; empty for nothing
     */
    void begin(String reference) {
        begun = true;
        names.forEach(name -> create(name, reference.isEmpty() ? null : reference, null));
    }

    /** In the caller's transaction: the action is done, and this is its answer. */
    void finish(HttpAnswer answer) {
        finished = true;
        if (begun) {
            if (!answerPending(answer)) {
                throw new IllegalStateException("the action has been answered by somebody else");
            }
        } else {
            names.forEach(name -> create(name, null, kept(answer)));
        }
    }

    /**
     * In a transaction of its own: the answer to an action that had begun; gives back what is on record, which is somebody
     * else's answer if that was there before.
     */
    Optional<Receipt> answer(HttpAnswer answer) {
        boolean first = keeping.transactions().requiresNew(() -> answerPending(answer));
        return first ? Optional.empty() : find();
    }

    /** Who answers under the first name is the one that answers; the signature's receipt follows. */
    private boolean answerPending(HttpAnswer answer) {
        Answer kept = kept(answer);
        boolean first = true;
        for (Name name : names) {
            boolean done = keeping.receipts().answer(account, name.id(), kept);
            if (first && !done) {
                return false;
            }
            first = false;
        }
        return true;
    }

    /** Another one began the action, and this one may end it. */
    void goOn() {
        begun = true;
    }

    /** In a transaction of its own: the action was refused. The client's own name stays free. */
    void refuse(HttpAnswer answer) {
        Name signature = names.get(names.size() - 1);
        keeping.transactions().requiresNew(() -> {
            create(signature, null, kept(answer));
            return true;
        });
    }

    private void create(Name name, @Nullable String reference, @Nullable Answer answer) {
        long now = keeping.clock().millis();
        keeping.receipts()
                .create(
                        new Receipt(
                                account,
                                name.id(),
                                name.digest(),
                                reference,
                                answer,
                                now,
                                now + name.retentionMillis()),
                        now);
    }

    private Answer kept(HttpAnswer answer) {
        return new Answer(answer.status(), answer.body().length > keeping.maxAnswerBytes() ? null : answer.body());
    }
}
