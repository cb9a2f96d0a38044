package dev.tidings.protocol.agents;

import dev.tidings.envelope.CapabilityStore;
import dev.tidings.envelope.CapabilityVerifier;
import dev.tidings.envelope.Checked;
import dev.tidings.envelope.EnvelopeDecoder;
import dev.tidings.envelope.EnvelopeLimits;
import dev.tidings.envelope.EnvelopeVerifier;
import dev.tidings.envelope.Refusal;
import dev.tidings.envelope.RefusalCode;
import dev.tidings.envelope.SignerCheck;
import dev.tidings.envelope.VerifiedEnvelope;
import dev.tidings.protocol.http.BoundedExecutor;
import dev.tidings.protocol.http.HttpAnswer;
import dev.tidings.protocol.http.HttpExchanges;
import dev.tidings.protocol.http.IncomingBody;
import dev.tidings.runs.Deadlines;
import dev.tidings.spi.NodeHealth;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The signed HTTP API: a message's bytes to the answer of its action.
 *
 * <p>A message is verified and its action done on the workers, never on the thread that brought its bytes; while a turn is
 * awaited no thread is held. An action that writes is done once for a signature, and once for a client's id, whatever
 * comes twice, on whichever node; one that only reads is done again.
 *
 * <p>Threads: safe for use by many threads. Errors: answers only; nothing is thrown. Source: protocols A9.
 */
public final class AgentsHttp {
    private static final Duration SLACK = Duration.ofSeconds(5);

    private final EnvelopeDecoder decoder;
    private final EnvelopeVerifier verifier;
    private final AgentsHttpPorts ports;
    private final AgentsHttpLimits limits;
    private final Executor verifications;
    private final Executor workers;
    private final InstantSource clock;
    private final Map<String, ActionHandler> handlers;
    private final Once once;
    private final ServerHealth health;
    private final HttpExchanges exchanges;

    /**
     * The API.
     *
     * @param checks what an envelope must pass
     * @param workers where messages are handled; may refuse when it has too much to do
     * @param toolThreads gives each tool that a person uses a thread for as long as it takes
     * @param deadlines keep what is waited for to the limits
     * @param exchanges what all requests over HTTP share
     * @param added a backend's handlers, which come before built-in ones of the same name
     * @throws IllegalArgumentException if two handlers of the backend have one name
     */
    public AgentsHttp(
            AgentsHttpPorts ports,
            EnvelopeChecks checks,
            AgentsHttpLimits limits,
            Collection<? extends ActionHandler> added,
            Executor workers,
            Executor toolThreads,
            Deadlines deadlines,
            HttpExchanges exchanges,
            InstantSource clock) {
        this.ports = ports;
        this.decoder = new EnvelopeDecoder(checks.limits());
        this.verifier = new EnvelopeVerifier(checks.limits(), checks.signers(), checks.capabilities());
        this.limits = limits;
        this.workers = workers;
        this.exchanges = exchanges;
        this.clock = clock;
        this.handlers = handlers(builtIn(ports, checks, limits, workers, toolThreads, deadlines, clock), added);
        this.verifications = new BoundedExecutor(workers, limits.maxVerifications(), Message::drop);
        // A timestamp may lie ahead by as much as it may lie behind: twice the window, and then it is refused anyway.
        Duration window = checks.limits().maxClockSkew().multipliedBy(2).plus(SLACK);
        this.once = new Once(
                new ActionReceipt.Keeping(
                        ports.receipts(),
                        ports.transactions(),
                        clock,
                        limits.receipts().maxAnswerBytes()),
                new Once.Times(
                        window,
                        limits.receipts().clientIdRetention(),
                        limits.messageTimeout().plus(SLACK)),
                limits.receipts().maxInProgress(),
                workers,
                deadlines);
        this.health = new ServerHealth(ports.log(), workers, deadlines, clock);
    }

    /**
     * What an envelope must pass.
     *
     * @param limits depth and clock window
     * @param signers who may sign for another account
     * @param capabilities where it is stored that a capability lets somebody sign for an account; without it nobody can
     *     register
     */
    public record EnvelopeChecks(EnvelopeLimits limits, SignerCheck signers, Optional<CapabilityStore> capabilities) {}

    private static List<ActionHandler> builtIn(
            AgentsHttpPorts ports,
            EnvelopeChecks checks,
            AgentsHttpLimits limits,
            Executor workers,
            Executor toolThreads,
            Deadlines deadlines,
            InstantSource clock) {
        Reading reading = new Reading(limits.maxTranscriptBytes(), new ReadBudget(limits.maxAnswerBytes()));
        List<ActionHandler> handlers = new ArrayList<>();
        checks.capabilities()
                .map(store -> new RegisterSigner(new CapabilityVerifier(checks.limits()), store))
                .ifPresent(handlers::add);
        handlers.addAll(List.of(
                new AgentActions.Create(ports, limits.maxDefinitionBytes(), clock),
                new AgentActions.Read(ports, reading),
                new AgentActions.Update(ports, limits.maxDefinitionBytes(), clock),
                new AgentActions.Delete(ports, workers),
                new AgentActions.ListAll(ports, reading),
                new AgentActions.SetPublicRead(ports, clock),
                new CollaboratorActions.ListOf(ports),
                new CollaboratorActions.Invites(ports),
                new CollaboratorActions.Invite(ports, clock),
                new CollaboratorActions.Accept(ports, clock),
                new CollaboratorActions.Decline(ports),
                new CollaboratorActions.Remove(ports),
                new SessionActions.Create(ports, limits.maxTitleLength(), clock),
                new SessionActions.Read(ports, reading),
                new SessionActions.ListPage(ports, reading),
                new SessionActions.Update(ports, limits.maxTitleLength(), clock),
                new SessionActions.Delete(ports, workers),
                new TurnActions.Message(ports, workers, limits.messageTimeout(), deadlines, clock),
                new TurnActions.Stop(ports),
                new ToolActions.Invoke(
                        ports,
                        new ToolActions.Invoke.Around(
                                new ToolPlaces(toolThreads, limits.maxTools()),
                                workers,
                                limits.messageTimeout(),
                                deadlines,
                                clock)),
                new RunActions.Read(ports),
                new RunActions.ListOf(ports, reading),
                new RunActions.Cancel(ports),
                new RunActions.Journal(ports, reading)));
        if (!ports.writes()) {
            handlers.removeIf(handler -> !handler.readsOnly());
        }
        return handlers;
    }

    private static Map<String, ActionHandler> handlers(
            List<ActionHandler> builtIn, Collection<? extends ActionHandler> added) {
        Map<String, ActionHandler> handlers = new HashMap<>();
        for (ActionHandler handler : added) {
            if (handlers.put(handler.name(), handler) != null) {
                throw new IllegalArgumentException("two handlers of the action " + handler.name());
            }
        }
        builtIn.forEach(handler -> handlers.putIfAbsent(handler.name(), handler));
        return Map.copyOf(handlers);
    }

    /** The limits. */
    public AgentsHttpLimits limits() {
        return limits;
    }

    /** A message that is about to come in; the refusal, if it need not be read. */
    Optional<HttpAnswer> refuseUnread(@Nullable String contentType, long declaredBytes) {
        if (!isCbor(contentType)) {
            return Optional.of(
                    Answers.error(ActionCode.UNSUPPORTED_MEDIA_TYPE, "The content type must be application/cbor"));
        }
        return declaredBytes > limits.maxMessageBytes() ? Optional.of(Answers.WORDS.tooLarge()) : Optional.empty();
    }

    private static boolean isCbor(@Nullable String contentType) {
        if (contentType == null) {
            return false;
        }
        int parameters = contentType.indexOf(';');
        String type = parameters < 0 ? contentType : contentType.substring(0, parameters);
        return type.strip().toLowerCase(Locale.ROOT).equals(Answers.CBOR);
    }

    /** A message to be filled with the bytes as they come in. */
    IncomingBody incoming() {
        return new IncomingBody(limits.maxMessageBytes(), exchanges.bodies(), Answers.WORDS, this::handle);
    }

    /** The answer to a whole message. */
    public CompletionStage<HttpAnswer> message(byte[] body) {
        IncomingBody message = incoming();
        Optional<HttpAnswer> refused = message.add(body, body.length);
        return refused.isPresent() ? CompletableFuture.completedFuture(refused.get()) : message.end();
    }

    /** Whether the server works: 200 or 503, JSON {status, epoch?, time}. */
    public CompletionStage<HttpAnswer> health() {
        return health.answer();
    }

    /** The same as a word. */
    public CompletionStage<NodeHealth.State> state() {
        return health.state();
    }

    /** The server is about to stop: from now on it is not ready, so that nobody new is sent here. */
    public void drain() {
        health.drain();
    }

    /** How requests are answered later. */
    HttpExchanges exchanges() {
        return exchanges;
    }

    /** The names of actions that write and have no answer yet. */
    int actionsInProgress() {
        return once.inProgress();
    }

    /** Deletes receipts that have expired; called about once a minute. */
    public void expireReceipts() {
        once.expire();
    }

    /** Hands a message to the workers; its bytes are released when its action was done or is under way. */
    CompletionStage<HttpAnswer> handle(byte[] body, long reserved) {
        Message message = new Message(body, reserved);
        try {
            verifications.execute(message);
        } catch (RuntimeException | Error tooMuchToDo) {
            // A pool that cannot start a thread says so with an error: its bytes must not be held for ever.
            message.refuse();
        }
        return message.answer;
    }

    /** A message on its way: verified in one of the few places for that, then done on a worker. */
    private final class Message implements Runnable {
        private final CompletableFuture<HttpAnswer> answer = new CompletableFuture<>();
        private final byte[] body;
        private final long reserved;

        Message(byte[] body, long reserved) {
            this.body = body;
            this.reserved = reserved;
        }

        static void drop(Runnable message) {
            ((Message) message).refuse();
        }

        void refuse() {
            exchanges.bodies().give(reserved);
            answer.complete(Answers.WORDS.busy());
        }

        @Override
        public void run() {
            Checked<VerifiedEnvelope> checked;
            try {
                checked = decoder.decode(body).then(envelope -> verifier.verify(envelope, clock.millis()));
            } catch (RuntimeException | Error failure) {
                // Any failure becomes an answer here, errors of the JVM included: a worker has nobody to tell.
                exchanges.bodies().give(reserved);
                answer.complete(Answers.to(failure));
                return;
            }
            try {
                workers.execute(() -> act(checked));
            } catch (RuntimeException | Error tooMuchToDo) {
                refuse();
            }
        }

        private void act(Checked<VerifiedEnvelope> checked) {
            try {
                answered(checked)
                        .whenComplete((done, failure) -> answer.complete(failure == null ? done : Answers.to(failure)));
            } finally {
                exchanges.bodies().give(reserved);
            }
        }
    }

    private CompletionStage<HttpAnswer> answered(Checked<VerifiedEnvelope> checked) {
        try {
            return checked.fold(this::act, refusal -> CompletableFuture.completedFuture(refused(refusal)));
        } catch (RuntimeException | Error failure) {
            return CompletableFuture.completedFuture(Answers.to(failure));
        }
    }

    private static HttpAnswer refused(Refusal refusal) {
        boolean unreadable = refusal.code() == RefusalCode.NOT_CANONICAL;
        return Answers.error(
                refusal.code().httpStatus(),
                refusal.code().text(),
                unreadable ? "Invalid CBOR request" : refusal.message(),
                refusal.serverTime(),
                refusal.skewMillis());
    }

    private CompletionStage<HttpAnswer> act(VerifiedEnvelope envelope) {
        ActionHandler handler = handlers.get(envelope.actionName());
        if (handler == null) {
            throw new ActionRefusal(ActionCode.UNKNOWN_ACTION, "Unknown action");
        }
        if (!handler.readsOnly()) {
            return once.act(
                    handler, envelope, receipt -> new ActionCall(envelope, ports.access(), ports.directory(), receipt));
        }
        String name = handler.name();
        return handler.handle(new ActionCall(envelope, ports.access(), ports.directory(), null))
                .handle((reply, failure) -> failure == null ? Answers.reply(name, reply) : Answers.to(failure));
    }
}
