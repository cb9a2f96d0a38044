package dev.tidings.protocol.conversations;

import dev.tidings.protocol.http.FaceDoor;

/**
 * The door of this face, told apart from the doors of others by its type.
 *
 * <p>Threads: immutable.
 *
 * @param door who is let in; while it is not enabled nothing of the face is registered, and its paths are the application's
 * @param paths where the door stands
 */
public record ConversationsDoor(FaceDoor door, ConversationsPaths paths) {}
