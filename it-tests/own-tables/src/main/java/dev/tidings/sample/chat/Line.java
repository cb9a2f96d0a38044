package dev.tidings.sample.chat;

import jakarta.persistence.Column;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;

/**
 * What somebody said in a chat.
 *
 * <p>Threads: none; an entity belongs to its transaction. Public for the container; not API.
 */
@Entity
@Table(name = "line")
public class Line {

    @EmbeddedId
    private LineId place = new LineId();

    @Column(name = "id")
    private String id = "";

    @Column(name = "speaker")
    private String speaker = "";

    @Column(name = "words")
    private String words = "";

    @Column(name = "spoken_at")
    private long spokenAt;

    /** For the persistence provider. */
    protected Line() {}

    Line(LineId place, String id, String speaker, String words, long spokenAt) {
        this.place = place;
        this.id = id;
        this.speaker = speaker;
        this.words = words;
        this.spokenAt = spokenAt;
    }

    String chatId() {
        return place.chatId();
    }

    long number() {
        return place.number();
    }

    String id() {
        return id;
    }

    String speaker() {
        return speaker;
    }

    String words() {
        return words;
    }

    long spokenAt() {
        return spokenAt;
    }
}
