package dev.tidings.standalone;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.TransactionPhase;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.transaction.Transactional;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;

/** A bean as an application writes it: rows and an event in one transaction. */
@ApplicationScoped
public class Notes {
    private final @Nullable EntityManager entityManager;
    private final @Nullable Event<Written> events;
    private final String word;
    private final List<String> seen = new CopyOnWriteArrayList<>();

    record Written(String text) {}

    @Inject
    Notes(
            EntityManager entityManager,
            Event<Written> events,
            @ConfigProperty(name = "tidings.test.word", defaultValue = "none") String word) {
        this.word = word;
        this.entityManager = entityManager;
        this.events = events;
    }

    Notes() {
        this.word = "";
        this.entityManager = null;
        this.events = null;
    }

    @Transactional
    void write(String text) {
        insert(text);
    }

    @Transactional
    void writeAndFail(String text) {
        insert(text);
        throw new IllegalStateException("as the test wants");
    }

    private void insert(String text) {
        if (entityManager == null || events == null) {
            throw new IllegalStateException("not injected");
        }
        entityManager
                .createNativeQuery("insert into note (text) values (?1)")
                .setParameter(1, text)
                .executeUpdate();
        events.fire(new Written(text));
    }

    void committed(@Observes(during = TransactionPhase.AFTER_SUCCESS) Written note) {
        seen.add(note.text());
    }

    String word() {
        return word;
    }

    List<String> seen() {
        return List.copyOf(seen);
    }
}
