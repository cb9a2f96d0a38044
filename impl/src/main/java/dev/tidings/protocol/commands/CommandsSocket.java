package dev.tidings.protocol.commands;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tidings.Head;
import dev.tidings.SessionInfo;
import dev.tidings.StreamKey;
import dev.tidings.UnknownStreamException;
import dev.tidings.access.HeldPass;
import dev.tidings.access.KeyPass;
import dev.tidings.delivery.Disconnect;
import dev.tidings.delivery.Frame;
import dev.tidings.delivery.Gate;
import dev.tidings.delivery.Outbox;
import dev.tidings.delivery.Subscription;
import dev.tidings.protocol.admission.Admission;
import dev.tidings.runs.ApprovalResult;
import dev.tidings.transport.TextSize;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One socket of one session: it is admitted, then its commands are done one after the other.
 *
 * <p>Callbacks of the container only enqueue; what asks the database runs on the executor. Commands that come before the
 * socket is admitted wait, in a queue that is bounded.
 *
 * <p>Threads: any. Source: protocols C.
 */
final class CommandsSocket {
    private static final System.Logger LOG = System.getLogger(CommandsSocket.class.getName());

    /** The largest message, in characters: the longest content, all of it escaped, and its surroundings. */
    static final int MAX_MESSAGE = 6 * Command.MAX_CONTENT_BYTES + (16 << 10);

    /** What all sockets share. */
    record Shared(
            CommandsPorts ports,
            CommandsSettings settings,
            Permissions permissions,
            Messages messages,
            Executor executor) {}

    /**
     * What a peer asked for when it connected.
     *
     * @param caller who it is; empty if nobody knows
     * @param afterPosition the cursor: up to which event it has seen them
     */
    record Asked(Optional<Caller> caller, String sessionId, long afterPosition) {}

    /**
     * A message; one that is no text has none.
     *
     * @param bytes how many it is in UTF-8
     */
    private record Received(String text, boolean isText, int bytes) {}

    private final Shared shared;
    private final Asked asked;
    private final Outbox outbox;
    private final Admission.Seat seat;
    private final HeldPass pass = new HeldPass();
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Queue<Received> pending = new ArrayDeque<>();

    @GuardedBy("lock")
    private long pendingBytes;

    /** Whether somebody admits the socket or works on its messages. */
    @GuardedBy("lock")
    private boolean busy = true;

    @GuardedBy("lock")
    private boolean closed;

    // Volatile: written by the admission; read by the message at hand, and by whoever tells of a deleted agent.
    private volatile @Nullable SessionInfo session;

    CommandsSocket(Shared shared, Asked asked, Outbox outbox, Admission.Seat seat) {
        this.shared = shared;
        this.seat = seat;
        this.asked = asked;
        this.outbox = outbox;
    }

    String sessionId() {
        return asked.sessionId();
    }

    boolean belongsTo(String agentId) {
        SessionInfo known = session;
        return known != null && known.agentId().equals(agentId);
    }

    /** Begins the admission. */
    void begin() {
        if (!seat.admitted()) {
            disconnect(Disconnect.TOO_MANY_SOCKETS);
            return;
        }
        run(() -> {
            admit();
            work();
        });
    }

    private void admit() {
        try {
            Optional<Disconnect> refusal = admitted();
            refusal.ifPresent(this::disconnect);
        } catch (RuntimeException brokenPort) {
            LOG.log(System.Logger.Level.WARNING, "[ws/sessions] a socket could not be admitted");
            disconnect(Disconnect.OVERLOADED);
        }
    }

    /** Lets the socket in; why not, if not. */
    private Optional<Disconnect> admitted() {
        Caller caller = asked.caller().orElse(null);
        if (caller == null) {
            return Optional.of(Disconnect.UNAUTHORIZED);
        }
        Gate byKey = null;
        if (caller instanceof Caller.ByKey by) {
            KeyPass entered =
                    shared.ports().keys().flatMap(keys -> keys.enter(by.key())).orElse(null);
            if (entered == null || !pass.keep(entered)) {
                return Optional.of(Disconnect.UNAUTHORIZED);
            }
            entered.whenEnded(() -> disconnect(Disconnect.UNAUTHORIZED));
            byKey = entered.gate();
        }
        SessionInfo found =
                shared.permissions().readable(caller, asked.sessionId()).orElse(null);
        if (found == null) {
            return Optional.of(Disconnect.NOT_FOUND);
        }
        if (!seat.bind(caller.name())) {
            return Optional.of(Disconnect.TOO_MANY_SOCKETS);
        }
        session = found;
        // Looked up once more: a deletion of its agent that was told before this would not have found the socket.
        if (shared.permissions().readable(caller, asked.sessionId()).isEmpty()) {
            return Optional.of(Disconnect.NOT_FOUND);
        }
        Gate gate = byKey == null ? shared.permissions().gate(caller, found) : byKey;
        Subscription subscription = outbox.subscribe(CommandsTranslator.channel(found.id()), gate);
        // Read now that the subscription is registered: what commits later waits for it in the window.
        Head head = shared.ports().log().head(StreamKey.session(found.id()));
        subscription.start(Math.min(asked.afterPosition(), head.position()), List.of(), Map.of());
        return Optional.empty();
    }

    /** Takes a message. Never blocks. */
    void received(String message) {
        received(new Received(message, true, TextSize.utf8Bytes(message)));
    }

    private void received(Received message) {
        outbox.heard();
        if (message.text().length() > MAX_MESSAGE) {
            disconnect(Disconnect.TOO_BIG);
            return;
        }
        Admission.Verdict verdict =
                seat.message(message.isText() && !message.text().isEmpty());
        if (verdict == Admission.Verdict.ABUSE) {
            disconnect(Disconnect.ABUSE);
            return;
        }
        if (verdict == Admission.Verdict.TOO_FAST && session != null) {
            refuse(CommandRefusal.TOO_MANY_MESSAGES);
            return;
        }
        boolean overloaded;
        boolean start = false;
        lock.lock();
        try {
            overloaded = isFullLocked(message);
            if (!closed && !overloaded) {
                pending.add(message);
                pendingBytes += message.bytes();
                start = !busy;
                busy = true;
            }
        } finally {
            lock.unlock();
        }
        if (overloaded) {
            disconnect(Disconnect.OVERLOADED);
        } else if (start) {
            run(this::work);
        }
    }

    @GuardedBy("lock")
    private boolean isFullLocked(Received message) {
        CommandsSettings settings = shared.settings();
        return pending.size() >= settings.maxPendingMessages()
                || !pending.isEmpty() && pendingBytes + message.bytes() > settings.maxPendingBytes();
    }

    /** Something came that is no text. */
    void receivedBinary() {
        received(new Received("", false, 0));
    }

    /** Frames came that are no messages: a sign of life, counted like messages. */
    void frames(int count) {
        outbox.heard();
        if (seat.frames(count) == Admission.Verdict.ABUSE) {
            disconnect(Disconnect.ABUSE);
        }
    }

    /** The connection is gone. May be called twice. */
    void closed() {
        ended();
        outbox.closed();
    }

    /** The engine closes the connection: nothing that comes in counts any more. */
    void ended() {
        lock.lock();
        try {
            closed = true;
            pending.clear();
            pendingBytes = 0;
        } finally {
            lock.unlock();
        }
        pass.close();
        seat.leave();
    }

    /** Sends the peer away. Never blocks. */
    void disconnect(Disconnect reason) {
        ended();
        outbox.disconnect(reason);
    }

    /** Does commands until one waits for something; that goes on with the rest, and no thread waits meanwhile. */
    private void work() {
        for (Received message = nextOrNull(); message != null; message = nextOrNull()) {
            CompletableFuture<?> handled = handle(message).toCompletableFuture();
            if (!handled.isDone()) {
                handled.whenComplete((done, failure) -> run(this::work));
                return;
            }
        }
    }

    private @Nullable Received nextOrNull() {
        lock.lock();
        try {
            Received next = pending.poll();
            busy = next != null;
            pendingBytes -= next == null ? 0 : next.bytes();
            return next;
        } finally {
            lock.unlock();
        }
    }

    /** Done when the command is, and answered; never fails. */
    private CompletionStage<?> handle(Received message) {
        SessionInfo known = session;
        Caller caller = asked.caller().orElse(null);
        if (known == null || caller == null) {
            return CompletableFuture.completedFuture(true);
        }
        CompletionStage<Optional<CommandRefusal>> refusal;
        try {
            refusal = message.isText()
                    ? done(Command.read(message.text()), caller, known)
                    : refused(CommandRefusal.NOT_TEXT);
        } catch (RuntimeException failure) {
            refusal = CompletableFuture.failedFuture(failure);
        }
        return refusal.handle((refused, failure) -> {
            if (failure == null) {
                refused.ifPresent(this::refuse);
            } else if (isDeletion(failure)) {
                disconnect(Disconnect.NOT_FOUND);
            } else {
                LOG.log(System.Logger.Level.WARNING, "[ws/sessions] a command failed");
                refuse(CommandRefusal.UNAVAILABLE);
            }
            return true;
        });
    }

    private static boolean isDeletion(Throwable failure) {
        return failure instanceof UnknownStreamException
                || failure instanceof CompletionException && failure.getCause() instanceof UnknownStreamException;
    }

    private static CompletionStage<Optional<CommandRefusal>> refused(CommandRefusal why) {
        return CompletableFuture.completedFuture(Optional.of(why));
    }

    private void refuse(CommandRefusal why) {
        shared.ports().delivery().tally().refused(why.code());
        outbox.answer(CommandsTranslator.error(why));
    }

    private CompletionStage<Optional<CommandRefusal>> done(Command command, Caller caller, SessionInfo known) {
        if (command instanceof Command.Refused refused) {
            return refused(refused.refusal());
        }
        if (!shared.permissions().mayWrite(caller, known.agentId())) {
            return refused(CommandRefusal.READ_ONLY);
        }
        if (command instanceof Command.UserMessage message) {
            return shared.messages().take(caller, known, message);
        }
        if (command instanceof Command.ToolApproval approval) {
            return CompletableFuture.completedFuture(decided(approval, known));
        }
        return shared.ports()
                .runs()
                .stop(known.id())
                .thenApply(stopped -> stopped ? Optional.empty() : Optional.of(CommandRefusal.NO_ACTIVE_RUN));
    }

    private Optional<CommandRefusal> decided(Command.ToolApproval approval, SessionInfo known) {
        ApprovalResult result = shared.ports().runs().decide(known.id(), approval.approvalId(), approval.decision());
        if (result instanceof ApprovalResult.Repeated repeated) {
            outbox.answer(Frame.ofUtf8(CommandsTranslator.event(repeated.entry())));
        }
        if (result instanceof ApprovalResult.Refused) {
            return Optional.of(CommandRefusal.APPROVAL_ALREADY_DECIDED);
        }
        return result instanceof ApprovalResult.Unknown
                ? Optional.of(CommandRefusal.UNKNOWN_APPROVAL)
                : Optional.empty();
    }

    /** Hands work on. */
    private void run(Runnable work) {
        try {
            shared.executor().execute(() -> orGiveUp(work));
        } catch (RuntimeException | Error noThread) {
            // The server stops; or a pool that cannot start a thread says so with an error.
            disconnect(Disconnect.OVERLOADED);
        }
    }

    /** Also behind an Error: nobody would go on with the messages of a socket that stays open. */
    private void orGiveUp(Runnable work) {
        boolean done = false;
        try {
            work.run();
            done = true;
        } finally {
            if (!done) {
                disconnect(Disconnect.OVERLOADED);
            }
        }
    }
}
