package dev.tidings.jpa;

import dev.tidings.NewEntry;
import dev.tidings.StreamKey;
import dev.tidings.event.EntriesStored;
import dev.tidings.spi.EventWriter;
import dev.tidings.spi.RunFence;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Stages in the caller's transaction; {@link CommitStep} numbers.
 *
 * <p>Not final and with a second constructor for the container's proxy. Threads: any.
 */
@ApplicationScoped
@Transactional(Transactional.TxType.MANDATORY)
class JpaEventWriter implements EventWriter {

    private final Stagings stagings;
    private final Database database;
    private final Numbering numbering;
    private final Event<Staging> firstStage;
    private final Event<EntriesStored> entriesStored;

    @SuppressWarnings("NullAway") // the proxy's constructor
    protected JpaEventWriter() {
        this(null, null, null, null, null);
    }

    @Inject
    JpaEventWriter(
            Stagings stagings,
            Database database,
            Numbering numbering,
            Event<Staging> firstStage,
            Event<EntriesStored> entriesStored) {
        this.stagings = stagings;
        this.database = database;
        this.numbering = numbering;
        this.firstStage = firstStage;
        this.entriesStored = entriesStored;
    }

    @Override
    public void append(StreamKey stream, NewEntry entry, @Nullable RunFence fence) {
        StoredId.require(entry.id());
        String runId = entry.runId();
        if (runId != null) {
            StoredId.require(runId);
        }
        if (stream.kind() == StreamKey.Kind.RUN && runId == null) {
            throw new IllegalArgumentException("an entry of a run tree names its run");
        }
        stage(stream, step -> step.append(entry, fence));
    }

    @Override
    public void openFence(StreamKey session, RunFence fence) {
        StoredId.require(fence.runId());
        stage(session, step -> step.open(fence));
    }

    @Override
    public void closeFence(StreamKey session, RunFence fence) {
        StoredId.require(fence.runId());
        stage(session, step -> step.close(fence));
    }

    @Override
    public Set<StreamKey> holdFree(Collection<StreamKey> streams) {
        Map<String, List<String>> ids = new TreeMap<>();
        for (StreamKey stream : streams) {
            if (Streams.possible(stream)) {
                ids.computeIfAbsent(Streams.code(stream), kind -> new ArrayList<>())
                        .add(stream.id());
            }
        }
        Set<StreamKey> held = new HashSet<>();
        ids.forEach((kind, ofKind) -> {
            String select = "select h.stream_id from tidings_head h"
                    + database.dialect().byKey()
                    + " where h.stream_kind = ? and h.stream_id in (?)"
                    + " for update skip locked";
            for (Row row : database.sql().rows(select, kind, ofKind)) {
                held.add(Streams.key(kind, row.text(0)));
            }
        });
        return held;
    }

    private void stage(StreamKey stream, Consumer<HeadStep> change) {
        if (!stream.kind().durable()) {
            throw new IllegalArgumentException("only sessions and run trees hold entries");
        }
        if (stagings.rollsBack()) {
            return;
        }
        Staging staging = stagings.current().orElse(null);
        if (staging == null) {
            staging = begin();
        }
        try {
            change.accept(staging.step(stream));
            if (staging.completing()) {
                numbering.apply(staging.take()).forEach(entriesStored::fire);
            }
        } catch (RuntimeException e) {
            staging.failed(e);
            throw e;
        }
    }

    private Staging begin() {
        Staging staging = stagings.begin();
        firstStage.fire(staging);
        if (staging.completing()) {
            // A container that is not told of transactions calls their observers at once and says nothing: entries
            // would be shown before they are committed.
            throw new IllegalStateException("this CDI container does not know of JTA transactions");
        }
        return staging;
    }
}
