package dev.tidings.bench;

import dev.tidings.EntryKind;
import dev.tidings.NewEntry;
import dev.tidings.Payload;
import dev.tidings.SessionInfo;
import dev.tidings.StreamKey;
import dev.tidings.envelope.CborValue;
import dev.tidings.protocol.agents.ActionCall;
import dev.tidings.protocol.agents.ActionHandler;
import dev.tidings.protocol.agents.ActionReply;
import dev.tidings.spi.EventWriter;
import dev.tidings.spi.Transactions;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/**
 * The backend of the bench: the action {@code BenchAppend} appends {@code count} events to a session in one transaction, as
 * an application does that has something to tell. Public for the container; not API.
 *
 * <p>It says that it only reads, so that no receipt is kept: what is measured is the append.
 */
@ApplicationScoped
public class BenchAppend implements ActionHandler {
    private static final int MOST = 10_000;

    @Inject
    EventWriter writer;

    @Inject
    Transactions transactions;

    @Override
    public String name() {
        return "BenchAppend";
    }

    @Override
    public boolean readsOnly() {
        return true;
    }

    @Override
    public CompletionStage<ActionReply> handle(ActionCall call) {
        SessionInfo session = call.writableSession(call.fields().text("sessionId"));
        long count = call.fields().integer("count", 1, MOST);
        long at = call.fields().integer("at", 0, Long.MAX_VALUE);
        int bytes = (int) call.fields().integer("bytes", 0, 1 << 20);
        Payload payload = Payload.of(Event.payload(at, bytes));
        StreamKey key = StreamKey.session(session.id());
        transactions.run(() -> {
            for (long i = 0; i < count; i++) {
                String id = UUID.randomUUID().toString().substring(0, 8);
                writer.append(key, new NewEntry(id, EntryKind.EVENT, true, payload, null, at / 1000));
            }
        });
        return ActionReply.of("count", CborValue.integer(count)).now();
    }
}
