package dev.tidings.sample.chat;

import dev.tidings.event.EntriesStored;
import dev.tidings.event.SessionChanged;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.PersistenceContext;
import jakarta.transaction.Transactional;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Opens chats and speaks in them; what is said is told to Tidings in the same transaction.
 *
 * <p>Threads: safe for use by many threads. Public for the container; not API.
 */
@ApplicationScoped
public class Chats {

    @PersistenceContext(unitName = "chat")
    private @Nullable EntityManager entityManager;

    @Inject
    private @Nullable Event<Object> events;

    /** Opens a chat. */
    @Transactional
    public Chat open(String owner, String title) {
        Chat chat = new Chat(UUID.randomUUID().toString(), owner, title, System.currentTimeMillis());
        entityManager().persist(chat);
        fire(new SessionChanged(Shown.session(chat).value(), chat.version(), true));
        return chat;
    }

    /** Says something: the row, its number and the event are one transaction. */
    @Transactional
    public Line say(String chatId, String speaker, String words) {
        // The lock is what makes position order commit order: whoever speaks next waits until this has committed. Taken
        // last, if there is more to do in the transaction, it is held for a moment only.
        Chat chat = Optional.ofNullable(entityManager().find(Chat.class, chatId, LockModeType.PESSIMISTIC_WRITE))
                .orElseThrow(() -> new IllegalArgumentException("there is no such chat"));
        // The transaction may have read the row before it was locked.
        entityManager().refresh(chat);
        long now = System.currentTimeMillis();
        LineId place = new LineId(chatId, chat.nextLine(now));
        Line line = new Line(place, UUID.randomUUID().toString(), speaker, words, now);
        entityManager().persist(line);
        fire(new EntriesStored(Shown.entry(line).stream(), List.of(Shown.entry(line))));
        fire(new SessionChanged(Shown.session(chat).value(), chat.version(), false));
        return line;
    }

    private void fire(Object event) {
        Objects.requireNonNull(events).fire(event);
    }

    private EntityManager entityManager() {
        return Objects.requireNonNull(entityManager);
    }
}
