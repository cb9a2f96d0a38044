package dev.tidings.protocol.conversations;

import dev.tidings.protocol.http.FaceDoor;

/**
 * The door of this face, told apart from the doors of others by its type.
 *
 * <p>Threads: immutable.
 *
 * @param door who is let in
 */
public record ConversationsDoor(FaceDoor door) {}
