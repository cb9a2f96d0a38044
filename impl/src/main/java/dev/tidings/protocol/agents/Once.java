package dev.tidings.protocol.agents;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tidings.envelope.VerifiedEnvelope;
import dev.tidings.protocol.http.HttpAnswer;
import dev.tidings.runs.Deadlines;
import dev.tidings.spi.Receipts.Answer;
import dev.tidings.spi.Receipts.Receipt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/*
 * Where an action may be when it comes again, and what is done then.
 *
 * (1) Under way on this node: both get the one answer. (2) Done: its receipt was stored in the transaction of its effect and
 * holds the answer. (3) Under way on another node, or cut by a node's end: its receipt is pending. Its outcome is looked at
 * again and again, by the handler out of what the receipt names, until the first has its answer or the time that an action
 * may take is over. (4) Under way on another node in its first transaction: the second does it too, finds the receipt taken
 * when it stores its own, and all that it did is rolled back. (5) Its commit threw: the receipt tells whether it happened.
 */
/**
 * Does actions that write, each once (law 11).
 *
 * <p>Memory holds only what is under way; what was done is in the database.
 *
 * <p>Threads: any; blocks on the ports. No thread waits for an action's answer.
 */
final class Once {
    private static final System.Logger LOG = System.getLogger(Once.class.getName());
    private static final Duration LOOK_AGAIN = Duration.ofMillis(500);
    private static final int EXPIRED_AT_ONCE = 500;
    private static final int EXPIRED_A_ROUND = 20;

    private final ActionReceipt.Keeping keeping;
    private final Times times;
    private final int maxInProgress;
    private final Executor workers;
    private final Deadlines deadlines;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<String, Flight> flights = new HashMap<>();

    /**
     * How long things last.
     *
     * @param signature how long a signature is remembered: longer than the clock window lets it in
     * @param clientId how long a client's name for an action is
     * @param longestAction how long an action may be under way
     */
    record Times(Duration signature, Duration clientId, Duration longestAction) {}

    /** An action that is under way on this node. */
    private record Flight(String digest, CompletableFuture<HttpAnswer> answer) {}

    /** What came of an action's own transaction. */
    private record Done(
            @Nullable Receipt known,
            @Nullable HttpAnswer answer,
            @Nullable CompletionStage<ActionReply> later) {}

    Once(ActionReceipt.Keeping keeping, Times times, int maxInProgress, Executor workers, Deadlines deadlines) {
        this.keeping = keeping;
        this.times = times;
        this.maxInProgress = maxInProgress;
        this.workers = workers;
        this.deadlines = deadlines;
    }

    /** Does an action, or gives the answer that it was given. */
    CompletionStage<HttpAnswer> act(
            ActionHandler handler, VerifiedEnvelope envelope, Function<@Nullable ActionReceipt, ActionCall> calls) {
        ActionReceipt receipt = receipt(handler, envelope, calls.apply(null));
        CompletableFuture<HttpAnswer> mine = new CompletableFuture<>();
        CompletionStage<HttpAnswer> other = takeOff(receipt, mine);
        if (other != null) {
            return other;
        }
        CompletionStage<HttpAnswer> answer;
        try {
            answer = begin(handler, calls.apply(receipt), receipt);
        } catch (RuntimeException | Error failed) {
            // Also an error: whoever asks again must not wait for an answer that never comes.
            answer = CompletableFuture.completedFuture(Answers.to(failed));
        }
        answer.whenComplete((done, failure) -> {
            land(receipt);
            mine.complete(failure == null ? done : Answers.to(failure));
        });
        return mine;
    }

    /** Deletes what has expired; called about once a minute. */
    void expire() {
        int deleted = EXPIRED_AT_ONCE;
        for (int i = 0; i < EXPIRED_A_ROUND && deleted == EXPIRED_AT_ONCE; i++) {
            deleted = keeping.transactions()
                    .requiresNew(() -> keeping.receipts().expire(keeping.clock().millis(), EXPIRED_AT_ONCE));
        }
    }

    /** How many names of actions are under way. */
    int inProgress() {
        lock.lock();
        try {
            return flights.size();
        } finally {
            lock.unlock();
        }
    }

    private ActionReceipt receipt(ActionHandler handler, VerifiedEnvelope envelope, ActionCall call) {
        List<ActionReceipt.Name> names = new ArrayList<>();
        handler.clientKey(call)
                .ifPresent(key -> names.add(new ActionReceipt.Name(
                        "c-" + ActionDigest.ofClientKey(call.account(), handler.name(), key),
                        ActionDigest.ofAction(envelope),
                        Math.max(times.clientId().toMillis(), times.signature().toMillis()))));
        names.add(new ActionReceipt.Name(
                "s-" + ActionDigest.ofSignature(envelope),
                "-",
                times.signature().toMillis()));
        return new ActionReceipt(keeping, call.account(), names);
    }

    /** Null if this action is the first of its names; else the answer, or where it will be. */
    private @Nullable CompletionStage<HttpAnswer> takeOff(ActionReceipt receipt, CompletableFuture<HttpAnswer> mine) {
        lock.lock();
        try {
            for (ActionReceipt.Name name : receipt.names()) {
                Flight flight = flights.get(flightName(receipt, name));
                if (flight != null) {
                    return flight.digest().equals(name.digest())
                            ? flight.answer()
                            : CompletableFuture.completedFuture(reused());
                }
            }
            if (flights.size() >= maxInProgress) {
                return CompletableFuture.completedFuture(Answers.WORDS.busy());
            }
            for (ActionReceipt.Name name : receipt.names()) {
                flights.put(flightName(receipt, name), new Flight(name.digest(), mine));
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    private void land(ActionReceipt receipt) {
        lock.lock();
        try {
            receipt.names().forEach(name -> flights.remove(flightName(receipt, name)));
        } finally {
            lock.unlock();
        }
    }

    private static String flightName(ActionReceipt receipt, ActionReceipt.Name name) {
        return receipt.account() + ' ' + name.id();
    }

    private CompletionStage<HttpAnswer> begin(ActionHandler handler, ActionCall call, ActionReceipt receipt) {
        Done done;
        try {
            done = handler.ownTransactions()
                    ? inItsOwn(handler, call, receipt)
                    : keeping.transactions().requiresNew(() -> inOne(handler, call, receipt));
        } catch (RuntimeException | Error failure) {
            return failed(handler, call, receipt, failure);
        }
        if (done.known() != null) {
            return known(handler, call, receipt, done.known());
        }
        if (done.answer() != null) {
            return CompletableFuture.completedFuture(done.answer());
        }
        if (done.later() == null) {
            throw new IllegalStateException("an action came to nothing");
        }
        return done.later()
                .handleAsync(
                        (reply, failure) -> failure == null
                                ? replied(handler, call, receipt, reply)
                                : failed(handler, call, receipt, failure),
                        workers)
                .thenCompose(Function.identity());
    }

    /** The effect, its receipt and the answer in one transaction. */
    private static Done inOne(ActionHandler handler, ActionCall call, ActionReceipt receipt) {
        Optional<Receipt> known = receipt.find();
        if (known.isPresent()) {
            return new Done(known.get(), null, null);
        }
        CompletableFuture<ActionReply> reply = handler.handle(call).toCompletableFuture();
        if (!reply.isDone()) {
            receipt.begin("");
            return new Done(null, null, reply);
        }
        HttpAnswer answer = Answers.reply(handler.name(), reply.join());
        receipt.finish(answer);
        return new Done(null, answer, null);
    }

    private static Done inItsOwn(ActionHandler handler, ActionCall call, ActionReceipt receipt) {
        Optional<Receipt> known = receipt.find();
        return known.isPresent() ? new Done(known.get(), null, null) : new Done(null, null, handler.handle(call));
    }

    private CompletionStage<HttpAnswer> replied(
            ActionHandler handler, ActionCall call, ActionReceipt receipt, ActionReply reply) {
        HttpAnswer answer = Answers.reply(handler.name(), reply);
        if (receipt.finished()) {
            return CompletableFuture.completedFuture(answer);
        }
        return recorded(handler, call, receipt, answer);
    }

    /** Stores the answer before it is given. */
    private CompletionStage<HttpAnswer> recorded(
            ActionHandler handler, ActionCall call, ActionReceipt receipt, HttpAnswer answer) {
        try {
            Optional<Receipt> others = Optional.empty();
            if (receipt.begun()) {
                others = receipt.answer(answer);
            } else {
                keeping.transactions().requiresNew(() -> {
                    receipt.finish(answer);
                    return true;
                });
            }
            if (others.isPresent() && others.get().answer() != null) {
                return known(handler, call, receipt, others.get());
            }
        } catch (RuntimeException notStored) {
            LOG.log(System.Logger.Level.WARNING, "the answer to an action is not on record");
        }
        return CompletableFuture.completedFuture(answer);
    }

    /** It was refused, or nobody knows whether it happened: the receipt tells. */
    private CompletionStage<HttpAnswer> failed(
            ActionHandler handler, ActionCall call, ActionReceipt receipt, Throwable failure) {
        HttpAnswer answer = Answers.to(failure);
        boolean refused = Answers.isRefusal(failure);
        if (refused && !receipt.begun() && !receipt.finished()) {
            return CompletableFuture.completedFuture(refused(receipt, answer));
        }
        Optional<Receipt> known;
        try {
            known = receipt.find();
        } catch (RuntimeException away) {
            return CompletableFuture.completedFuture(answer);
        }
        if (known.isEmpty()) {
            return CompletableFuture.completedFuture(refused ? refused(receipt, answer) : answer);
        }
        return refused && known.get().answer() == null
                ? recorded(handler, call, receipt, answer)
                : known(handler, call, receipt, known.get());
    }

    /** What depends on the state of things is remembered for the signature: it may not be done later after all. */
    private static HttpAnswer refused(ActionReceipt receipt, HttpAnswer answer) {
        if (answer.status() == 403 || answer.status() == 404 || answer.status() == 409) {
            try {
                receipt.refuse(answer);
            } catch (RuntimeException notStored) {
                LOG.log(System.Logger.Level.DEBUG, "a refusal is not on record");
            }
        }
        return answer;
    }

    private CompletionStage<HttpAnswer> known(
            ActionHandler handler, ActionCall call, ActionReceipt receipt, Receipt known) {
        if (!receipt.isOfThis(known)) {
            return CompletableFuture.completedFuture(reused());
        }
        Answer answer = known.answer();
        if (answer != null) {
            byte[] body = answer.body();
            return CompletableFuture.completedFuture(
                    body == null ? alreadyHandled() : Answers.stored(answer.status(), body));
        }
        receipt.goOn();
        CompletableFuture<HttpAnswer> outcome = new CompletableFuture<>();
        look(handler, call, receipt, known, outcome);
        return outcome;
    }

    /** Looks whether an action that somebody else began has its answer, or whether its outcome is known by now. */
    private void look(
            ActionHandler handler,
            ActionCall call,
            ActionReceipt receipt,
            Receipt pending,
            CompletableFuture<HttpAnswer> outcome) {
        try {
            Optional<Receipt> now = receipt.find();
            if (now.isEmpty()) {
                outcome.complete(alreadyHandled());
                return;
            }
            if (now.get().answer() != null) {
                known(handler, call, receipt, now.get()).thenAccept(outcome::complete);
                return;
            }
            Optional<HttpAnswer> answer = outcome(handler, call, pending);
            if (answer.isPresent()) {
                answerOther(handler, call, receipt, answer.get(), outcome);
                return;
            }
        } catch (RuntimeException | Error notKnown) {
            LOG.log(System.Logger.Level.DEBUG, "the outcome of an action is not known yet");
        }
        if (keeping.clock().millis() - pending.createdAt()
                > times.longestAction().toMillis()) {
            outcome.complete(alreadyHandled());
            return;
        }
        Executor orBusy = task -> {
            try {
                workers.execute(task);
            } catch (RuntimeException | Error tooMuchToDo) {
                // A pool that cannot start a thread says so with an error, which nobody would hear here.
                outcome.complete(Answers.WORDS.busy());
            }
        };
        deadlines.after(LOOK_AGAIN, () -> orBusy.execute(() -> look(handler, call, receipt, pending, outcome)));
    }

    private static Optional<HttpAnswer> outcome(ActionHandler handler, ActionCall call, Receipt pending) {
        String reference = pending.reference();
        try {
            return handler.outcome(
                            call, new ActionHandler.Begun(reference == null ? "" : reference, pending.createdAt()))
                    .map(reply -> Answers.reply(handler.name(), reply));
        } catch (ActionRefusal refusal) {
            return Optional.of(Answers.to(refusal));
        }
    }

    private void answerOther(
            ActionHandler handler,
            ActionCall call,
            ActionReceipt receipt,
            HttpAnswer answer,
            CompletableFuture<HttpAnswer> outcome) {
        Optional<Receipt> others = receipt.finished() ? Optional.empty() : receipt.answer(answer);
        if (others.isPresent() && others.get().answer() != null) {
            known(handler, call, receipt, others.get()).thenAccept(outcome::complete);
        } else {
            outcome.complete(answer);
        }
    }

    private static HttpAnswer reused() {
        return Answers.error(ActionCode.CLIENT_ID_REUSED, "The client id was used for another action");
    }

    private static HttpAnswer alreadyHandled() {
        return Answers.error(ActionCode.ALREADY_HANDLED, "The action was already handled");
    }
}
