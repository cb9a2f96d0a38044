package dev.tidings.sample.chat;

import dev.tidings.Head;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.spi.EventLog;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.transaction.Transactional;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a chat as the entries of a session.
 *
 * <p>Threads: safe for use by many threads. Public for the container; not API.
 */
@ApplicationScoped
@Transactional
public class ChatLog implements EventLog {

    // Written once into the configuration of the application; renewed if a backup was restored.
    private static final String EPOCH = "chat-2026";

    @PersistenceContext(unitName = "chat")
    private @Nullable EntityManager entityManager;

    @Override
    public String epoch() {
        return EPOCH;
    }

    @Override
    public Head head(StreamKey stream) {
        return heads(List.of(stream)).getOrDefault(stream, Head.EMPTY);
    }

    @Override
    public Map<StreamKey, Head> heads(Collection<StreamKey> streams) {
        List<String> ids = streams.stream()
                .filter(stream -> stream.kind() == StreamKey.Kind.SESSION)
                .map(StreamKey::id)
                .toList();
        Map<StreamKey, Head> heads = new HashMap<>();
        if (ids.isEmpty()) {
            return heads;
        }
        for (Object[] row : entityManager()
                .createQuery("select c.id, c.lastLine from Chat c where c.id in ?1", Object[].class)
                .setParameter(1, ids)
                .getResultList()) {
            long last = (Long) row[1];
            heads.put(StreamKey.session((String) row[0]), new Head(last, last));
        }
        return heads;
    }

    @Override
    public List<StoredEntry> read(StreamKey stream, long afterPosition, int maxEntries, int maxBytes) {
        if (stream.kind() != StreamKey.Kind.SESSION) {
            return List.of();
        }
        List<StoredEntry> page = new ArrayList<>();
        long bytes = 0;
        for (Line line : entityManager()
                .createQuery(
                        "select l from Line l where l.place.chatId = ?1 and l.place.number > ?2 order by l.place.number",
                        Line.class)
                .setParameter(1, stream.id())
                .setParameter(2, Math.max(0, afterPosition))
                .setMaxResults(maxEntries)
                .getResultList()) {
            StoredEntry entry = Shown.entry(line);
            bytes += entry.payload().size();
            if (bytes > maxBytes && !page.isEmpty()) {
                break;
            }
            page.add(entry);
        }
        return page;
    }

    @Override
    public long positionAfterSeq(StreamKey session, long seq) {
        return Math.max(0, Math.min(seq, head(session).position()));
    }

    private EntityManager entityManager() {
        return Objects.requireNonNull(entityManager);
    }
}
