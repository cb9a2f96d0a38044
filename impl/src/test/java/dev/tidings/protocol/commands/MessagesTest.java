package dev.tidings.protocol.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.ApiKeyScope;
import dev.tidings.Payload;
import dev.tidings.RunInfo;
import dev.tidings.RunStatus;
import dev.tidings.SessionInfo;
import dev.tidings.protocol.http.Auth;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Law 11: a message with an id, repeated, begins one turn, whatever is done with messages while a run is active. */
class MessagesTest {
    private static final Caller ANYBODY = new Caller.Anybody();

    private final CommandsWorld world = new CommandsWorld(Auth.NONE, Turns.QUEUE);

    private Messages messages(Turns turns) {
        CommandsSettings settings = new CommandsSettings(
                Auth.NONE,
                CommandsWorld.AGENT,
                turns,
                world.settings.receiptRetention(),
                CommandsWorld.MAX_PENDING,
                CommandsWorld.MAX_PENDING_BYTES);
        return new Messages(
                world.ports(world.tidings.transactions()), settings, world.tasks::add, InstantSource.system());
    }

    private Optional<CommandRefusal> take(Messages messages, String session, String text, @Nullable String id) {
        SessionInfo known =
                world.tidings.directory().session(session).orElseThrow().value();
        var taken =
                messages.take(ANYBODY, known, new Command.UserMessage(text, id)).toCompletableFuture();
        world.run();
        return taken.join();
    }

    private Optional<CommandRefusal> take(Messages messages, String text, @Nullable String id) {
        return take(messages, CommandsWorld.SESSION, text, id);
    }

    private void runsNow(String runId) {
        world.tidings
                .transactions()
                .run(() -> world.tidings
                        .directoryWriter()
                        .create(new RunInfo(
                                runId,
                                "owner",
                                runId,
                                RunInfo.Lineage.ROOT,
                                "agent",
                                CommandsWorld.AGENT,
                                CommandsWorld.SESSION,
                                "user",
                                "t",
                                RunStatus.RUNNING,
                                null,
                                null,
                                1,
                                null,
                                null,
                                1)));
    }

    @Test
    void take_sameMessageAgain_beginsNothing() {
        Messages messages = messages(Turns.QUEUE);
        assertEquals(Optional.empty(), take(messages, "hi", "m1"));
        assertEquals(Optional.empty(), take(messages, "hi", "m1"));
        assertEquals(List.of("message hi"), world.runs.did);
    }

    @Test
    void take_withoutAnId_isAnotherEachTime() {
        Messages messages = messages(Turns.QUEUE);
        take(messages, "hi", null);
        take(messages, "hi", null);
        assertEquals(List.of("message hi", "message hi"), world.runs.did);
    }

    @Test
    void take_sameIdAndOtherText_isRefused() {
        Messages messages = messages(Turns.QUEUE);
        take(messages, "hi", "m1");
        assertEquals(Optional.of(CommandRefusal.MESSAGE_ID_REUSED), take(messages, "other", "m1"));
        assertEquals(List.of("message hi"), world.runs.did);
    }

    /** A client's names count within one session. */
    @Test
    void take_sameIdInAnotherSession_isAnotherMessage() {
        Messages messages = messages(Turns.QUEUE);
        take(messages, "hi", "m1");
        assertEquals(Optional.empty(), take(messages, "other", "elsewhere", "m1"));
        assertEquals(List.of("message hi", "message elsewhere"), world.runs.did);
    }

    /** The run that is active by then may be its own. */
    @Test
    void take_sameMessageAgainWhileItsRunIsActive_isNotRejected() {
        Messages messages = messages(Turns.REJECT);
        take(messages, "hi", "m1");
        runsNow("r");
        assertEquals(Optional.empty(), take(messages, "hi", "m1"));
        assertEquals(Optional.of(CommandRefusal.RUN_ACTIVE), take(messages, "next", "m2"));
        assertEquals(List.of("message hi"), world.runs.did);
    }

    /** Likewise: what it would stop is its own turn. */
    @Test
    void take_sameMessageAgainWhileItsRunIsActive_interruptsNothing() {
        Messages messages = messages(Turns.INTERRUPT);
        take(messages, "hi", "m1");
        world.runs.did.clear();
        assertEquals(Optional.empty(), take(messages, "hi", "m1"));
        assertEquals(List.of(), world.runs.did);
    }

    /** Of two that come at once, both look before either is stored; the second finds the receipt when it stores its own. */
    @Test
    void take_sameMessageTwiceAtOnce_oneIsStoredAndBothAreTaken() {
        Messages messages = messages(Turns.QUEUE);
        world.runs.before = () -> assertEquals(Optional.empty(), take(messages, "hi", "m1"));
        assertEquals(Optional.empty(), take(messages, "hi", "m1"));
        assertEquals(List.of("message hi"), world.runs.did);
    }

    /** Law 10: of two that come at once where one would be rejected, the second finds the first one's run. */
    @Test
    void take_anotherRunBeginsMeanwhile_isRejectedAndStoresNothing() {
        Messages messages = messages(Turns.REJECT);
        world.runs.before = () -> runsNow("other");
        assertEquals(Optional.of(CommandRefusal.RUN_ACTIVE), take(messages, "hi", "m1"));
        assertEquals(List.of(), world.runs.did);
    }

    @Test
    void take_couldNotBeStored_maySucceedLater() {
        Messages messages = messages(Turns.QUEUE);
        world.runs.broken = true;
        assertThrows(IllegalStateException.class, () -> take(messages, "hi", "m1"));
        world.runs.broken = false;
        assertEquals(Optional.empty(), take(messages, "hi", "m1"));
        assertEquals(List.of("message hi"), world.runs.did);
    }

    /** Whose message it is stands in it; nothing of a key but its name. */
    @Test
    void take_byKey_eventNamesTheKey() {
        var key = world.newKey(new ApiKeyScope.All());
        SessionInfo known = world.tidings
                .directory()
                .session(CommandsWorld.SESSION)
                .orElseThrow()
                .value();
        messages(Turns.QUEUE).take(new Caller.ByKey(key), known, new Command.UserMessage("hi", "m1"));
        Payload event = world.runs.events.get(0);
        assertTrue(event.text().contains("\"meta\":{\"apiKeyId\":\"" + key.id() + "\"}"), event.text());
    }
}
