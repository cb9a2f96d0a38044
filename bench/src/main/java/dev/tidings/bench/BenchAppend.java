package dev.tidings.bench;

import dev.tidings.EntryKind;
import dev.tidings.NewEntry;
import dev.tidings.Payload;
import dev.tidings.StreamKey;
import dev.tidings.envelope.CborValue;
import dev.tidings.protocol.agents.ActionCall;
import dev.tidings.protocol.agents.ActionHandler;
import dev.tidings.protocol.agents.ActionReply;
import dev.tidings.spi.EventWriter;
import dev.tidings.spi.Transactions;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/**
 * The backend of the bench: the action {@code BenchAppend} appends {@code count} entries to each of some sessions in one
 * transaction, as an application does that has something to tell. Public for the container; not API.
 *
 * <p>It says that it only reads, so that no receipt is kept, and asks for the right to the first session only: what is
 * measured is the append. The answer tells the {@code nanos} from the begin of the transaction to its end.
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
        List<String> sessions = new ArrayList<>();
        for (CborValue id : call.fields().list("sessionIds").items()) {
            sessions.add(((CborValue.TextValue) id).value());
        }
        call.writableSession(sessions.get(0));
        long count = call.fields().integer("count", 1, MOST);
        long at = call.fields().integer("at", 0, Long.MAX_VALUE);
        int bytes = (int) call.fields().integer("bytes", 0, 1 << 20);
        boolean deltas = call.fields().flag("deltas");
        Payload payload = Payload.of(Event.payload(at, bytes));
        long begin = System.nanoTime();
        transactions.run(() -> {
            for (String session : sessions) {
                for (long i = 0; i < count; i++) {
                    writer.append(StreamKey.session(session), entry(deltas, payload, at / 1000));
                }
            }
        });
        long nanos = System.nanoTime() - begin;
        return ActionReply.of("count", CborValue.integer(count * sessions.size()), "nanos", CborValue.integer(nanos))
                .now();
    }

    private static NewEntry entry(boolean delta, Payload payload, long createdAt) {
        String id = UUID.randomUUID().toString().substring(0, 8);
        return new NewEntry(id, delta ? EntryKind.TEXT_DELTA : EntryKind.EVENT, !delta, payload, null, createdAt);
    }
}
