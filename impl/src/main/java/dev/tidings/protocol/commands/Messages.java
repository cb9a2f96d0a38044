package dev.tidings.protocol.commands;

import dev.tidings.Payload;
import dev.tidings.SessionInfo;
import dev.tidings.UnknownStreamException;
import dev.tidings.protocol.json.JsonText;
import dev.tidings.runs.UserMessage;
import dev.tidings.spi.Receipts.Receipt;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * Messages of users: each begins one turn, however often it comes (law 11).
 *
 * <p>Threads: any; calls block on the ports.
 */
final class Messages {
    private static final int TITLE_LENGTH = 80;

    private final CommandsPorts ports;
    private final CommandsSettings settings;
    private final Executor executor;
    private final InstantSource clock;

    /** @param executor where a message is stored when the run that it interrupts has ended */
    Messages(CommandsPorts ports, CommandsSettings settings, Executor executor, InstantSource clock) {
        this.executor = executor;
        this.ports = ports;
        this.settings = settings;
        this.clock = clock;
    }

    /**
     * Takes a message. Throws what the ports throw.
     *
     * @return empty if it was taken, now or before; done when the run that it interrupts has ended and it is stored
     */
    CompletionStage<Optional<CommandRefusal>> take(Caller caller, SessionInfo session, Command.UserMessage message) {
        Optional<Receipt> receipt = receipt(session, message);
        Optional<Receipt> before = receipt.flatMap(this::stored);
        if (before.isPresent()) {
            return now(repeated(receipt.orElseThrow(), before.get()));
        }
        return switch (settings.turns()) {
            case REJECT ->
                now(
                        ports.directory().activeRun(session.id()).isPresent()
                                ? Optional.of(CommandRefusal.RUN_ACTIVE)
                                : store(caller, session, message, receipt));
            // What was said before is in the session by then.
            case INTERRUPT ->
                ports.runs()
                        .stop(session.id())
                        .thenApplyAsync(stopped -> store(caller, session, message, receipt), executor);
            case QUEUE -> now(store(caller, session, message, receipt));
        };
    }

    private static CompletionStage<Optional<CommandRefusal>> now(Optional<CommandRefusal> refusal) {
        return CompletableFuture.completedFuture(refusal);
    }

    private Optional<CommandRefusal> store(
            Caller caller, SessionInfo session, Command.UserMessage message, Optional<Receipt> receipt) {
        boolean[] active = new boolean[1];
        try {
            // Nobody waits for the turn: what comes of it is in the session.
            var unused = ports.runs()
                    .message(
                            new UserMessage(
                                    session.id(), message.content(), event(caller, message), title(message.content())),
                            runId -> {
                                active[0] = settings.turns() == Turns.REJECT && isBehindAnother(session, runId);
                                if (active[0]) {
                                    throw new IllegalStateException("rolls back");
                                }
                                receipt.ifPresent(one -> ports.receipts().create(of(one, runId), one.createdAt()));
                            });
            return Optional.empty();
        } catch (UnknownStreamException deletedMeanwhile) {
            throw deletedMeanwhile;
        } catch (RuntimeException failed) {
            if (active[0]) {
                return Optional.of(CommandRefusal.RUN_ACTIVE);
            }
            Optional<Receipt> stored = receipt.flatMap(this::stored);
            if (stored.isEmpty()) {
                throw failed;
            }
            // The same message came twice at once, or the commit happened all the same.
            return repeated(receipt.orElseThrow(), stored.get());
        }
    }

    /** Asked under the lock of the session: of two messages that come at once, one finds the other's run. */
    private boolean isBehindAnother(SessionInfo session, String runId) {
        return ports.directory()
                .activeRun(session.id())
                .filter(run -> !run.id().equals(runId))
                .isPresent();
    }

    private static Optional<CommandRefusal> repeated(Receipt asked, Receipt stored) {
        return stored.digest().equals(asked.digest())
                ? Optional.empty()
                : Optional.of(CommandRefusal.MESSAGE_ID_REUSED);
    }

    private Optional<Receipt> stored(Receipt receipt) {
        return Optional.ofNullable(ports.receipts()
                .find(receipt.accountId(), List.of(receipt.commandId()), clock.millis())
                .get(receipt.commandId()));
    }

    private Optional<Receipt> receipt(SessionInfo session, Command.UserMessage message) {
        String id = message.messageId();
        if (id == null) {
            return Optional.empty();
        }
        long now = clock.millis();
        return Optional.of(new Receipt(
                session.account(),
                "message-" + sha256(session.id() + '\0' + id),
                sha256(message.content()),
                null,
                null,
                now,
                now + settings.receiptRetention().toMillis()));
    }

    private static Receipt of(Receipt receipt, String runId) {
        return new Receipt(
                receipt.accountId(),
                receipt.commandId(),
                receipt.digest(),
                runId,
                null,
                receipt.createdAt(),
                receipt.expiresAt());
    }

    /** {type: message, role: user, content, actor: user, clientMessageId?, meta?: {accountId | apiKeyId}}. */
    private static Payload event(Caller caller, Command.UserMessage message) {
        JsonText json = new JsonText(message.content().length() + 128).open();
        json.text("type", "message").text("role", "user").text("content", message.content());
        json.text("actor", "user").text("clientMessageId", message.messageId());
        if (caller instanceof Caller.ByAccount by) {
            json.name("meta").open().text("accountId", by.account()).close();
        } else if (caller instanceof Caller.ByKey by) {
            json.name("meta").open().text("apiKeyId", by.key().id()).close();
        }
        return Payload.ofUtf8(json.close().bytes());
    }

    /** The beginning of the first line that says something. */
    private static String title(String text) {
        String line = text.lines()
                .map(candidate -> candidate.replace('\0', ' ').strip())
                .filter(candidate -> !candidate.isEmpty())
                .findFirst()
                .orElse("Message");
        if (line.length() <= TITLE_LENGTH) {
            return line;
        }
        boolean splitsPair = Character.isHighSurrogate(line.charAt(TITLE_LENGTH - 1));
        return line.substring(0, splitsPair ? TITLE_LENGTH - 1 : TITLE_LENGTH);
    }

    private static String sha256(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
