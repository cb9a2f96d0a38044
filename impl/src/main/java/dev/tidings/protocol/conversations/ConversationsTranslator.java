package dev.tidings.protocol.conversations;

import dev.tidings.StoredEntry;
import dev.tidings.delivery.Channel;
import dev.tidings.delivery.Frame;
import dev.tidings.delivery.Translator;
import java.util.List;

/**
 * Entries of the tape on one kind of wire, for as long as their conversations are there.
 *
 * <p>Threads: any number at once. Source: protocols B.
 */
record ConversationsTranslator(Wire wire, Presences presences) implements Translator {

    @Override
    public List<Frame> frames(StoredEntry entry) {
        return FeedTape.shows(entry)
                ? List.of(wire.frame(entry.payload().text(), entry.seq(), presences.withdrawn(entry)))
                : List.of();
    }

    Channel channel(View view) {
        return new Channel(this, view.key());
    }
}
