package dev.tidings.sample.chat;

import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import java.io.Serializable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The place of a line. Threads: none. Public for the container; not API. */
@Embeddable
public class LineId implements Serializable {

    private static final long serialVersionUID = 1L;

    @Column(name = "chat_id")
    private String chatId = "";

    @Column(name = "line_no")
    private long number;

    /** For the persistence provider. */
    protected LineId() {}

    LineId(String chatId, long number) {
        this.chatId = chatId;
        this.number = number;
    }

    String chatId() {
        return chatId;
    }

    long number() {
        return number;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LineId that && chatId.equals(that.chatId) && number == that.number;
    }

    @Override
    public int hashCode() {
        return Objects.hash(chatId, number);
    }
}
