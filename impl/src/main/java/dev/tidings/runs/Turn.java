package dev.tidings.runs;

import dev.tidings.AgentInfo;
import dev.tidings.Approval;
import dev.tidings.Versioned;
import dev.tidings.spi.AgentRunner;
import dev.tidings.spi.ChildRun;
import dev.tidings.spi.RunFailure;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A live run of this node: its mailbox, its runner's thread and whoever waits for it.
 *
 * <p>It is made while its claim commits and begins when the claim has; a stop in between is the first thing that its
 * mailbox holds, and then no runner is called.
 *
 * <p>Threads: any.
 */
final class Turn implements TextLine.Listener {

    private static final System.Logger LOG = System.getLogger(Turn.class.getName());

    private final RunStore.Claim claim;
    private final RunEngine.Ports ports;
    private final RunStore store;
    private final AgentRunner runner;
    private final Mailbox mailbox;
    private final @Nullable String knownPrompt;
    private final CompletableFuture<TurnResult> answer;
    private final Interruption interruption = new Interruption();
    private final CompletableFuture<Optional<TurnResult>> settled = new CompletableFuture<>();
    private final int maxMessageBytes;
    // The approvals that the runner waits for, or has waited for.
    private final Map<String, Answer<Approval.Status>> approvals = new ConcurrentHashMap<>();

    // Volatile: set by whoever cancels first, read by whoever settles the claim.
    private volatile boolean cancelled;

    // Volatile: set by the runner, read by whoever ends the turn.
    private volatile boolean parent;

    /**
     * A turn.
     *
     * @param maxMessageBytes how long a message of the runner may be
     * @param knownPrompt the text that asked for it; null if the log has to be asked
     * @param answer completed when the turn has ended
     */
    Turn(
            RunStore.Claim claim,
            RunEngine.Ports ports,
            RunStore store,
            AgentRunner runner,
            Mailbox mailbox,
            int maxMessageBytes,
            @Nullable String knownPrompt,
            CompletableFuture<TurnResult> answer) {
        this.claim = claim;
        this.ports = ports;
        this.store = store;
        this.runner = runner;
        this.mailbox = mailbox;
        this.maxMessageBytes = maxMessageBytes;
        this.knownPrompt = knownPrompt;
        this.answer = answer;
    }

    RunStore.Claim claim() {
        return claim;
    }

    String runId() {
        return claim.run().id();
    }

    String sessionId() {
        return claim.session().id();
    }

    CompletableFuture<TurnResult> answer() {
        return answer;
    }

    void begin(TurnWriter writer, Consumer<Runnable> thread) {
        if (!mailbox.open(writer)) {
            return;
        }
        try {
            thread.accept(this::run);
        } catch (RuntimeException | Error e) {
            // Refused by a pool, or by the system: no native thread is left.
            mailbox.end(Outcome.Failed.NO_THREAD);
        }
    }

    private void run() {
        mailbox.end(outcome());
    }

    @SuppressWarnings("CatchingUnchecked")
    private Outcome outcome() {
        try {
            // Before the runner's part: an interrupt must not hit a database's file.
            String prompt = knownPrompt == null ? store.reads().prompt(sessionId(), runId()) : knownPrompt;
            Optional<AgentInfo> agent =
                    ports.directory().agent(claim.session().agentId()).map(Versioned::value);
            return agent.isPresent()
                    ? outcome(new TurnContext(claim, agent.get(), prompt, mailbox, maxMessageBytes, family()))
                    : Outcome.Failed.NO_AGENT;
        } catch (RunFailure failure) {
            return new Outcome.Failed(failure.code(), failure.publicText());
        } catch (Exception | Error e) {
            if (!mailbox.ending()) {
                LOG.log(System.Logger.Level.WARNING, "the runner of run {0} failed", runId());
            }
            return Outcome.Failed.INTERNAL;
        }
    }

    private TurnContext.Family family() {
        return new TurnContext.Family() {
            @Override
            public Child newChild(ChildRun asked) {
                parent = true;
                return store.newChild(asked);
            }

            @Override
            public void expect(String approvalId, Answer<Approval.Status> answer) {
                approvals.put(approvalId, answer);
            }
        };
    }

    private Outcome outcome(TurnContext context) throws Exception {
        if (interruption.enter()) {
            try {
                runner.run(context);
            } finally {
                interruption.leave();
            }
        }
        return new Outcome.Succeeded();
    }

    /** Cancels the run, its runner and whatever it waits for; false if its end was given before. */
    boolean cancel() {
        boolean first = end(new Outcome.Canceled());
        if (first) {
            cancelled = true;
        }
        return first;
    }

    /** Whether it was cancelled, and not ended otherwise before. */
    boolean cancelled() {
        return cancelled;
    }

    /** Ends the run while its runner is at work; false if its end was given before. */
    boolean end(Outcome outcome) {
        boolean first = mailbox.end(outcome);
        if (first) {
            interruption.interrupt();
        }
        return first;
    }

    /** Lets go of the run without ending it, unless its end was given before. */
    void letGo() {
        if (mailbox.drop()) {
            interruption.interrupt();
            ended(new TurnResult.Failed(
                    runId(), Outcome.Failed.INTERRUPTED.code(), Outcome.Failed.INTERRUPTED.publicText()));
        }
    }

    /** The claim did not commit: there is no such turn. */
    void unmake() {
        mailbox.drop();
        settled.complete(Optional.empty());
    }

    /** The claim did not commit, and the run was cancelled in its queue instead. */
    void cancelledInQueue() {
        ended(new TurnResult.Ended(runId(), "", true));
    }

    @Override
    public void arrived() {
        mailbox.wake();
    }

    @Override
    public void failed() {
        mailbox.add(new Report.Flush());
    }

    /** An approval was decided, or has expired. */
    void decided(String approvalId, Approval.Status status) {
        Answer<Approval.Status> answer = approvals.get(approvalId);
        if (answer != null) {
            mailbox.give(answer, status);
        }
    }

    /** The approvals that are not known to be decided. */
    List<String> openApprovals() {
        return approvals.entrySet().stream()
                .filter(entry -> entry.getValue().orNull() == null)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Whether it has started others. */
    boolean hasChildren() {
        return parent;
    }

    void started(Child child) {
        mailbox.give(child.started(), true);
    }

    void ended(Child child, Child.End end) {
        mailbox.give(child.ended(), end);
    }

    /** Whoever asked for the turn need not wait for its end any more. */
    void waiting() {
        answer.complete(new TurnResult.Waiting(runId()));
    }

    void ended(TurnResult result) {
        settled.complete(Optional.of(result));
        answer.complete(result);
    }

    /** Done when the end is stored: how it ended; empty if the turn was unmade. */
    CompletableFuture<Optional<TurnResult>> settled() {
        return settled;
    }
}
