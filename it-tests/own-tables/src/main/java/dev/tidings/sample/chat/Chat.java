package dev.tidings.sample.chat;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/**
 * A chat: a session, and the agent that it belongs to.
 *
 * <p>Threads: none; an entity belongs to its transaction. Public for the container; not API.
 */
@Entity
@Table(name = "chat")
public class Chat {

    @Id
    @Column(name = "id")
    private String id = "";

    @Column(name = "owner")
    private String owner = "";

    @Column(name = "title")
    private String title = "";

    @Column(name = "last_line")
    private long lastLine;

    // Not @Version: the row's lock comes first, so that nobody ever meets an older one.
    @Column(name = "version")
    private long version = 1;

    @Column(name = "created_at")
    private long createdAt;

    @Column(name = "updated_at")
    private long updatedAt;

    /** For the persistence provider. */
    protected Chat() {}

    Chat(String id, String owner, String title, long now) {
        this.id = id;
        this.owner = owner;
        this.title = title;
        this.createdAt = now;
        this.updatedAt = now;
    }

    /** One line more; the caller holds the row's lock. */
    long nextLine(long now) {
        updatedAt = Math.max(updatedAt, now);
        version++;
        return ++lastLine;
    }

    String id() {
        return id;
    }

    String owner() {
        return owner;
    }

    String title() {
        return title;
    }

    long lastLine() {
        return lastLine;
    }

    long version() {
        return version;
    }

    long createdAt() {
        return createdAt;
    }

    long updatedAt() {
        return updatedAt;
    }
}
